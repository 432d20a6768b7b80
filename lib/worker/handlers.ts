import type { TenantScope } from "../db/tenant.ts";
import type { JobHandler } from "../jobs/handler.ts";
import type { Job } from "../jobs/job.ts";
import { finishJob } from "../jobs/queue.ts";
import type { Turn } from "../jobs/turn.ts";
import { workScope } from "../jobs/work-scope.ts";
import { INGEST } from "../knowledge/ingest/ingest.ts";
import { purge } from "../knowledge/ingest/purge.ts";
import { reEmbed } from "../knowledge/ingest/re-embed.ts";
import { failTestRun, runTests } from "../test-questions/run-tests.ts";
import { maintain } from "./maintain.ts";

/** How the jobs of each kind are done. */
export const HANDLERS: Record<Job["kind"], JobHandler> = {
  ingest: INGEST,
  purge: oneByOne(purge),
  "re-embed": oneByOne(reEmbed),
  maintain: oneByOne(maintain),
  test: { ...oneByOne(runTests), onFailed: failTestRun },
};

/** Does one job. @returns false when the turn ended first, so that the job continues in the next turn */
type SingleJobHandler = (job: Job, scope: TenantScope, turn: Turn) => Promise<boolean>;

function oneByOne(handle: SingleJobHandler): JobHandler {
  return {
    async run({ jobs }, { turn }) {
      for (const job of jobs) {
        if (turn.hasEnded()) return;
        if (!(await handle(job, workScope([job]), turn))) return;
        await finishJob(job);
      }
    },
  };
}
