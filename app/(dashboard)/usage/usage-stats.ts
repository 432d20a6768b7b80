import type { Stat } from "@/components/stat-row.tsx";
import { countText } from "@/lib/counted.ts";
import { requestsPerDay } from "@/lib/usage/requests-per-day.ts";
import type { Usage } from "@/lib/usage/usage-of.ts";
import { shareWords, timeWords } from "./format-figures.ts";
import { logQueryString } from "./search-params.ts";

/** The four figures of a period. Each links to its requests. */
export function usageStats(usage: Usage, filter: { days: 7 | 30 | 90; sender: string | null }): Stat[] {
  const { requests, errors, answered, unanswered, p50, p95 } = usage;
  const log = (outcome: "errors" | "unanswered" | null) => `/usage/requests${logQueryString({ ...filter, outcome })}`;
  return [
    {
      label: "Requests",
      value: countText(requests),
      note: requestsPerDay(usage.days, usage.since),
      href: log(null),
    },
    {
      label: "Errors",
      value: countText(errors),
      note: `${shareWords(errors, requests)} of requests`,
      href: log("errors"),
    },
    {
      label: "Response time",
      value: timeWords(p50),
      note: p95 === null ? "no requests served" : `95% within ${timeWords(p95)}`,
    },
    {
      label: "Unanswered",
      value: countText(unanswered),
      note: answered + unanswered > 0 ? `${countText(answered)} answered` : "no answers requested",
      href: log("unanswered"),
    },
  ];
}
