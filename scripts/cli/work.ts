import { setTimeout as delay } from "node:timers/promises";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { showProgress } from "../../lib/client/cli/terminal.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { isWorkerRunning } from "../../lib/jobs/presence.ts";
import { progressOf } from "../../lib/knowledge/ingest/progress.ts";
import { runWorker } from "../../lib/worker/worker.ts";
import { interrupted } from "./context.ts";

const POLL_MS = 300;

/**
 * Waits until the jobs of these versions have finished. If no worker runs, this process runs the jobs itself. Does not
 * wait for jobs that are deferred because a provider is unavailable.
 */
export async function waitForJobs(scope: TenantScope, versionIds: string[]): Promise<void> {
  let ownWorker: Promise<void> | null = null;
  try {
    for (let round = 0; ; round++) {
      interrupted.throwIfAborted();
      const { done, deferred, total } = await progressOf(scope, CLI_ACTOR, versionIds);
      showProgress(done, total);
      if (done + deferred === total) return;
      // failed jobs are retried after their backoff
      if (!ownWorker && round > 0) await delay(POLL_MS);
      if (!ownWorker && !(await isWorkerRunning())) ownWorker = workUntilIdle(scope);
      if (ownWorker && (await Promise.race([ownWorker.then(() => "idle"), delay(POLL_MS)])) === "idle")
        ownWorker = null;
    }
  } finally {
    // when aborted, the worker releases its jobs
    await ownWorker;
  }
}

function workUntilIdle(scope: TenantScope): Promise<void> {
  return runWorker({ signal: interrupted, companyId: scope.companyId, untilIdle: true });
}
