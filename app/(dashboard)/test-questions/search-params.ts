import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { parseAsPage, parseAsText } from "@/lib/http/search-params.ts";
import { LISTED_STATES } from "@/lib/test-questions/states.ts";

/** Filters of the list in the URL. */
export const testParams = {
  state: parseAsStringLiteral(LISTED_STATES),
  q: parseAsText.withDefault(""),
  page: parseAsPage.withDefault(1),
};

export const loadTestParams = createLoader(testParams);
export const testQueryString = createSerializer(testParams);
