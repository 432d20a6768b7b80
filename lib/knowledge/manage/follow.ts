import { setTimeout as delay } from "node:timers/promises";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { jobProgress } from "../../jobs/progress.ts";
import { getManaged } from "./list.ts";
import { readStates, type SourceState } from "./states.ts";

/** The longest wait of one request, in seconds. */
const WAIT_SECONDS_MAX = 30;
/** A source that is not ready immediately is rarely ready within the next second. */
const CHECK_MS = { first: 200, growth: 1.5, max: 2_000 };

interface Wait {
  /** 0: do not wait. */
  seconds: number;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
}

/**
 * The source when it is no longer processing, or when the wait is over.
 * @throws {AppError} NotFound; the signal's reason when the caller disconnects
 */
export async function followSource(
  scope: TenantScope,
  actor: Actor,
  id: string,
  wait: Wait,
): ReturnType<typeof getManaged> {
  const source = await getManaged(scope, actor, id);
  const hasWaited = await waitForJobs(scope, [source], wait);
  return hasWaited ? getManaged(scope, actor, id) : source;
}

/**
 * The states of the sources that the actor may see, when none of them is processing any more, or when the wait is over.
 * @throws the signal's reason when the caller disconnects
 */
export async function followSources(
  scope: TenantScope,
  actor: Actor,
  ids: string[],
  wait: Wait,
): Promise<SourceState[]> {
  requireAdmin(scope, actor, "ingest");
  const read = () => scope.snapshot((tx) => readStates(tx, scope.companyId, actor, ids));
  const states = await read();
  const hasWaited = await waitForJobs(scope, states, wait);
  return hasWaited ? read() : states;
}

/** @returns false if there was nothing to wait for, or no time */
async function waitForJobs(
  scope: TenantScope,
  sources: Pick<SourceState, "status" | "versionId">[],
  { seconds, signal }: Wait,
): Promise<boolean> {
  const until = performance.now() + Math.min(seconds, WAIT_SECONDS_MAX) * 1_000;
  const subjectIds = sources.flatMap(({ status, versionId }) => (status === "processing" ? versionId : []));
  if (subjectIds.length === 0 || seconds <= 0) return false;
  const jobs = { kind: "ingest" as const, subjectIds };
  for (let pause = CHECK_MS.first; performance.now() < until; pause = Math.min(pause * CHECK_MS.growth, CHECK_MS.max)) {
    await delay(Math.min(pause, until - performance.now()), undefined, { signal });
    const unfinished = await scope.transaction((tx) => jobProgress(tx, scope.companyId, jobs));
    if (unfinished.size === 0) break;
  }
  return true;
}

/** The seconds of `Prefer: wait=N` (RFC 7240), at most 30; 0 without it. */
export function waitSeconds(headers: Headers): number {
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})/i.exec(headers.get("prefer") ?? "") ?? [];
  return Math.min(Number(seconds ?? 0), WAIT_SECONDS_MAX);
}

/** Tells the caller that the wait was honoured. */
export function waitApplied(seconds: number): Record<string, string> {
  return seconds > 0 ? { "Preference-Applied": `wait=${seconds}` } : {};
}
