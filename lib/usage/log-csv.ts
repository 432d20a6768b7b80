import type { Actor } from "../audit/record.ts";
import { csvLine } from "../csv.ts";
import type { TenantScope } from "../db/tenant.ts";
import { exportRequests, type LoggedRequest } from "./log.ts";
import type { LogFilter } from "./log-filter.ts";

const HEAD = [
  "time",
  "request_id",
  "origin",
  "key",
  "member",
  "question",
  "status",
  "error",
  "results",
  "answered",
  "degraded",
  "duration_ms",
  "via",
];

/** The log as a CSV file, newest first, streamed while it is read. Times are ISO 8601 in UTC. */
export function logAsCsv(scope: TenantScope, actor: Actor, filter: LogFilter): AsyncGenerator<string> {
  return linesOf(exportRequests(scope, actor, filter));
}

async function* linesOf(requests: AsyncIterable<LoggedRequest[]>): AsyncGenerator<string> {
  yield csvLine(HEAD);
  for await (const rows of requests) yield rows.map(lineOf).join("");
}

function lineOf(row: LoggedRequest): string {
  return csvLine([
    row.at.toISOString(),
    row.id,
    row.origin,
    row.keyName,
    row.memberName,
    row.queryText ?? row.queryHash,
    row.statusCode,
    row.error,
    row.total,
    row.answered,
    row.degraded.join(" "),
    row.durationMs,
    row.via,
  ]);
}
