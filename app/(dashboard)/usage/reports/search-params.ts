import { createLoader, createSerializer, parseAsBoolean } from "nuqs/server";
import { parseAsPage } from "@/lib/http/search-params.ts";

const reportParams = {
  /** Whether to list the resolved reports instead of the open ones. */
  resolved: parseAsBoolean.withDefault(false),
  page: parseAsPage.withDefault(1),
};

export const loadReportParams = createLoader(reportParams);
export const reportQueryString = createSerializer(reportParams);
