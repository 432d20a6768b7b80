import { setTimeout } from "node:timers/promises";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { outcomeOf, progressOf } from "../../lib/knowledge/ingest/progress.ts";

/** Long, because a busy machine may take minutes to start a process. */
const LIMIT_MS = 600_000;
const SOURCE_POLL_MS = 100;

interface WaitOptions {
  limitMs?: number;
  everyMs?: number;
}

/**
 * Waits until `find` returns a value other than null and false.
 * @param what completes "Waited 600 s for …"
 * @throws {Error} after the limit, so that a check ends with a verdict
 */
export async function waitFor<Found>(
  what: string,
  find: () => Found | null | false | Promise<Found | null | false>,
  { limitMs = LIMIT_MS, everyMs = 50 }: WaitOptions = {},
): Promise<Awaited<Found>> {
  const over = new AbortController();
  const limit = setTimeout(limitMs, null, { signal: over.signal }).then(() => {
    throw new Error(`Waited ${limitMs / 1_000} s for ${what}`);
  });
  try {
    for (;;) {
      const found = await Promise.race([find(), limit]);
      if (found !== null && found !== false) return found;
      await Promise.race([setTimeout(everyMs), limit]);
    }
  } finally {
    limit.catch(() => undefined);
    over.abort();
  }
}

/**
 * Waits until these versions are searchable.
 * @throws {Error} when one of them fails, none has a chunk, or none is processed for minutes
 */
export async function untilSearchable(scope: TenantScope, versionIds: string[]): Promise<void> {
  if (versionIds.length === 0) return;
  for (let done = 0; done < versionIds.length; ) {
    const moreThan = async (before: number) => {
      const now = await progressOf(scope, CLI_ACTOR, versionIds);
      return now.done > before && now.done;
    };
    const before = done;
    const what = `the next of ${versionIds.length} sources to be processed, after ${done}`;
    done = await waitFor(what, () => moreThan(before), { everyMs: SOURCE_POLL_MS });
  }
  const { failed, chunks } = await outcomeOf(scope, CLI_ACTOR, versionIds);
  const [first] = failed;
  if (first) throw new Error(`${failed.length} of ${versionIds.length} sources failed: ${first.path}: ${first.reason}`);
  if (chunks === 0) throw new Error(`${versionIds.length} sources have no chunk.`);
}
