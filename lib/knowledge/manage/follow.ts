import { setTimeout as delay } from "node:timers/promises";
import type { Actor } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { jobProgress } from "../../jobs/progress.ts";
import { getManaged } from "./list.ts";

/** The longest wait of one request, in seconds. */
const WAIT_SECONDS_MAX = 30;
/** A source that is not ready at once is rarely ready within the next second. */
const CHECK_MS = { first: 200, growth: 1.5, max: 2_000 };

/**
 * The source when it is no longer processing, or when the wait is over.
 * @param options.seconds 0: now
 * @throws {AppError} NotFound; the signal's reason when the caller disconnects
 */
export async function followSource(
  scope: TenantScope,
  actor: Actor,
  id: string,
  { seconds, signal }: { seconds: number; signal: AbortSignal },
): ReturnType<typeof getManaged> {
  const until = performance.now() + Math.min(seconds, WAIT_SECONDS_MAX) * 1_000;
  const source = await getManaged(scope, actor, id);
  if (source.status !== "processing") return source;
  const job = { kind: "ingest" as const, subjectIds: [source.versionId] };
  for (let pause = CHECK_MS.first; performance.now() < until; pause = Math.min(pause * CHECK_MS.growth, CHECK_MS.max)) {
    await delay(Math.min(pause, until - performance.now()), undefined, { signal });
    const waiting = await scope.transaction((tx) => jobProgress(tx, scope.companyId, job));
    if (waiting.size === 0) break;
  }
  return seconds > 0 ? getManaged(scope, actor, id) : source;
}

/** The seconds of `Prefer: wait=N` (RFC 7240), at most 30; 0 without it. */
export function waitSeconds(headers: Headers): number {
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})/i.exec(headers.get("prefer") ?? "") ?? [];
  return Math.min(Number(seconds ?? 0), WAIT_SECONDS_MAX);
}
