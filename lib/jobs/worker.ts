import { setTimeout as delay } from "node:timers/promises";
import { ingest } from "../knowledge/ingest.ts";
import { purge } from "../knowledge/purge.ts";
import { reEmbed } from "../knowledge/re-embed.ts";
import { log } from "../log.ts";
import { failureOf } from "./failure.ts";
import { maintain } from "./maintain.ts";
import { announceWorker } from "./presence.ts";
import { type Claim, claimJobs, failJob, finishJob, heartbeat, LEASE_SECONDS, releaseJobs } from "./queue.ts";

const JOBS_PER_CLAIM = 64;
const IDLE_POLL_MS = 500;
const OUTAGE_POLL_MS = 2_000;

export interface WorkerOptions {
  signal: AbortSignal;
  /** Only this company's jobs: the command line works for the company that it was called for. */
  companyId?: string;
  /** Return when nothing is due, instead of waiting for more. */
  untilIdle?: boolean;
}

/** Does jobs until it is told to stop. An error of a job is that job's own; an outage of the database is waited out. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  if (options.untilIdle) return doJobs(options);
  const withdraw = announceWorker();
  try {
    await doJobs(options);
  } finally {
    await withdraw();
  }
}

async function doJobs({ signal, companyId, untilIdle = false }: WorkerOptions): Promise<void> {
  while (!signal.aborted) {
    try {
      const claim = await claimJobs(JOBS_PER_CLAIM, companyId ?? null);
      if (claim) await work(claim, signal);
      else if (untilIdle) return;
      else await pause(IDLE_POLL_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      log().error({ err: error }, "worker: could not work");
      if (untilIdle) throw error;
      await pause(OUTAGE_POLL_MS, signal);
    }
  }
}

async function work(claim: Claim, stop: AbortSignal): Promise<void> {
  const lost = new AbortController();
  const signal = AbortSignal.any([stop, lost.signal]);
  const beat = setInterval(
    () => {
      heartbeat(claim.token).then(
        (held) => held || lost.abort(new Error("the lease was taken over")),
        // an outage: the lease may still be ours when the database is back
        (error: unknown) => log().warn({ err: error }, "worker: heartbeat failed"),
      );
    },
    (LEASE_SECONDS * 1_000) / 4,
  );
  try {
    await handlers[claim.kind](claim, signal);
  } catch (error) {
    if (!signal.aborted) await failAll(claim, error);
  } finally {
    clearInterval(beat);
    if (stop.aborted) await releaseJobs(claim.token);
  }
}

const handlers: Record<Claim["kind"], (claim: Claim, signal: AbortSignal) => Promise<void>> = {
  ingest,
  purge: eachJob(purge),
  "re-embed": eachJob(reEmbed),
  maintain: eachJob(maintain),
};

type JobHandler = (job: Claim["jobs"][number], signal: AbortSignal) => Promise<void>;

function eachJob(handle: JobHandler) {
  return async ({ jobs, token }: Claim, signal: AbortSignal) => {
    for (const job of jobs) {
      if (signal.aborted) return;
      await handle(job, signal);
      await finishJob(job.id, token);
    }
  };
}

/** What is done already is held no more, and stays done. */
async function failAll({ jobs, token, kind }: Claim, error: unknown): Promise<void> {
  const failure = failureOf(error);
  if (failure.cause === "away") log().warn({ reason: failure.reason, kind, jobs: jobs.length }, "worker: jobs put off");
  else log().error({ err: error, kind, jobs: jobs.length }, "worker: jobs failed");
  for (const job of jobs) await failJob(job, token, failure, { shared: true });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
