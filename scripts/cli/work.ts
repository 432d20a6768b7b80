import { setTimeout as delay } from "node:timers/promises";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { workerIsThere } from "../../lib/jobs/presence.ts";
import { runWorker } from "../../lib/jobs/worker.ts";
import { progressOf } from "../../lib/knowledge/progress.ts";
import { interrupted, showProgress } from "./context.ts";

const POLL_MS = 300;

/**
 * Waits until the jobs of these versions are over: a running worker does them, else this process. Not for those that are
 * put off because something has been away for a while.
 */
export async function untilWorkedOff(scope: TenantScope, versionIds: string[]): Promise<void> {
  let own: Promise<void> | null = null;
  try {
    for (let round = 0; ; round++) {
      interrupted.throwIfAborted();
      const { done, putOff, total } = await progressOf(scope, CLI_ACTOR, versionIds);
      showProgress(done, total);
      if (done + putOff === total) return;
      // what failed is tried again after a while
      if (!own && round > 0) await delay(POLL_MS);
      if (!own && !(await workerIsThere())) own = workUntilIdle(scope);
      if (own && (await Promise.race([own.then(() => "idle"), delay(POLL_MS)])) === "idle") own = null;
    }
  } finally {
    // told to stop, it gives its jobs back
    await own;
  }
}

function workUntilIdle(scope: TenantScope): Promise<void> {
  return runWorker({ signal: interrupted, companyId: scope.companyId, untilIdle: true });
}
