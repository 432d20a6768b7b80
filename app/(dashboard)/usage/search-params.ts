import { createLoader, createSerializer, parseAsNumberLiteral, parseAsStringLiteral } from "nuqs/server";
import { parseAsPage, parseAsText } from "@/lib/http/search-params.ts";
import { type LogFilter, OUTCOMES, USAGE_DAYS } from "@/lib/usage/log-filter.ts";

/** Filters of the usage pages in the URL. Missing parameters have their default. */
const usageParams = {
  days: parseAsNumberLiteral(USAGE_DAYS).withDefault(30),
  /** A key's id, or `playground`. */
  sender: parseAsText,
};

export const logParams = {
  ...usageParams,
  outcome: parseAsStringLiteral(OUTCOMES),
  q: parseAsText.withDefault(""),
  page: parseAsPage.withDefault(1),
};

/** The URL calls the sender `source`, so that old links keep working. */
export const usageUrlKeys = { urlKeys: { sender: "source" } } as const;

export const loadUsageParams = createLoader({ ...usageParams, request: parseAsText }, usageUrlKeys);
export const loadLogParams = createLoader(logParams, usageUrlKeys);
export const usageQueryString = createSerializer(usageParams, usageUrlKeys);
export const logQueryString = createSerializer(logParams, usageUrlKeys);

export function toLogFilter({ q, ...filter }: Omit<LogFilter, "search"> & { q: string }): LogFilter {
  const { days, sender, outcome } = filter;
  return { days, sender, outcome, search: q.slice(0, 200) };
}
