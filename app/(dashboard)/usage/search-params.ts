import { createLoader, createSerializer, parseAsNumberLiteral, parseAsStringLiteral } from "nuqs/server";
import { parseAsPage, parseAsText } from "@/lib/http/search-params.ts";
import { type LogFilter, OUTCOMES, USAGE_DAYS } from "@/lib/usage/log-filter.ts";

/** Filters of the usage pages in the URL. Missing parameters have their default. */
const usageParams = {
  days: parseAsNumberLiteral(USAGE_DAYS).withDefault(30),
  /** A key's id, or `playground`. */
  source: parseAsText,
};

export const logParams = {
  ...usageParams,
  outcome: parseAsStringLiteral(OUTCOMES),
  q: parseAsText.withDefault(""),
  page: parseAsPage.withDefault(1),
};

export const loadUsageParams = createLoader({ ...usageParams, request: parseAsText });
export const loadLogParams = createLoader(logParams);
export const usageAddress = createSerializer(usageParams);
export const logAddress = createSerializer(logParams);

export function toLogFilter({ q, ...filter }: Omit<LogFilter, "search"> & { q: string }): LogFilter {
  const { days, source, outcome } = filter;
  return { days, source, outcome, search: q.slice(0, 200) };
}
