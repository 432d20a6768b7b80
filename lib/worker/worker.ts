import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { TenantScope } from "../db/tenant.ts";
import type { Claim, Job, Lane } from "../jobs/job.ts";
import { announceWorker, type Presence } from "../jobs/presence.ts";
import {
  claimJobs,
  DEATHS_MAX,
  failJob,
  finishJob,
  heartbeat,
  LEASE_SECONDS,
  releaseJobs,
  takeOver,
} from "../jobs/queue.ts";
import { startTurn, type Turn } from "../jobs/turn.ts";
import { LeaseLost, workScope } from "../jobs/work-scope.ts";
import { ingest } from "../knowledge/ingest/ingest.ts";
import { purge } from "../knowledge/ingest/purge.ts";
import { reEmbed } from "../knowledge/ingest/re-embed.ts";
import { log } from "../log.ts";
import { sweepSpool } from "../storage/spool.ts";
import { failureOf } from "./failure.ts";
import { maintain, scheduleMaintenance } from "./maintain.ts";

const IDLE_POLL_MS = 500;
const OUTAGE_POLL_MS = 2_000;
const MAINTENANCE_EVERY_MS = 10 * 60_000;

const GIVEN_UP = {
  cause: "final",
  reason: `the worker stopped ${DEATHS_MAX} times while it did this job`,
  shown: `Processing stopped ${DEATHS_MAX} times without progress. Split the source into smaller ones, or try again.`,
} as const;

export interface WorkerOptions {
  signal: AbortSignal;
  /** A worker that is started in place of one that died has its id, and takes over its jobs. */
  id?: string;
  /** Only this company's jobs: the command line works for the company that it was called for. */
  companyId?: string;
  /** Return when nothing is due, instead of waiting for more. */
  untilIdle?: boolean;
}

interface Worker extends Pick<WorkerOptions, "signal" | "companyId"> {
  id: string;
  presence: Presence;
}

/**
 * Does jobs until it is told to stop, those of the two lanes at the same time. An error of a job is that job's own; an
 * outage of the database is waited out.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { signal, id = randomUUID(), companyId, untilIdle = false } = options;
  const presence = await announceWorker(id, untilIdle);
  const worker = { signal, id, companyId, presence };
  try {
    if (untilIdle) return await workUntilIdle(worker);
    // an outage: the leases run out by themselves
    await takeOver(id).catch(() => undefined);
    await Promise.all([workInLane("quick", worker), workInLane("slow", worker), scheduleRegularly(worker)]);
  } finally {
    await presence.withdraw();
  }
}

async function workUntilIdle({ signal, id, companyId, presence }: Worker): Promise<void> {
  while (!signal.aborted) {
    const conflict = presence.conflict();
    if (conflict) throw new Error(conflict);
    const options = { owner: id, companyId };
    const claim = (await claimJobs("quick", options)) ?? (await claimJobs("slow", options));
    if (!claim) return;
    await work(claim, signal);
    await releaseJobs(claim.token);
  }
}

async function workInLane(lane: Lane, { signal, id, companyId, presence }: Worker): Promise<void> {
  let after: string | null = null;
  while (!signal.aborted) {
    try {
      const claim: Claim | null = presence.conflict() ? null : await claimJobs(lane, { owner: id, companyId, after });
      if (claim) {
        after = claim.companyId;
        await work(claim, signal);
        await giveBack(claim, signal);
      } else await pause(IDLE_POLL_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      log().error({ err: error }, "worker: could not work");
      await pause(OUTAGE_POLL_MS, signal);
    }
  }
}

async function scheduleRegularly({ signal, presence }: Worker): Promise<void> {
  while (!signal.aborted) {
    const waits = presence.conflict() !== null;
    if (!waits) {
      await sweepSpool().catch((error: unknown) => log().warn({ err: error }, "worker: could not sweep uploads"));
      await scheduleMaintenance().catch((error: unknown) =>
        log().error({ err: error }, "worker: could not schedule maintenance"),
      );
    }
    await pause(waits ? IDLE_POLL_MS : MAINTENANCE_EVERY_MS, signal);
  }
}

/** Does what fits in one turn. */
async function work(claim: Claim, stop: AbortSignal): Promise<void> {
  const lost = new AbortController();
  const turn = startTurn(claim.lane, AbortSignal.any([stop, lost.signal]));
  const beat = setInterval(
    () => {
      heartbeat(claim.token).then(
        (held) => held || lost.abort(new LeaseLost("Another worker has taken the jobs over")),
        // an outage: the lease may still be ours when the database is back
        (error: unknown) => log().warn({ err: error }, "worker: heartbeat failed"),
      );
    },
    (LEASE_SECONDS * 1_000) / 4,
  );
  try {
    const jobs = await withoutGivenUp(claim);
    if (jobs.length > 0) await handlers[claim.kind]({ ...claim, jobs }, turn);
  } catch (error) {
    if (error instanceof LeaseLost) log().warn({ reason: error.message, kind: claim.kind }, "worker: lease lost");
    else if (!turn.signal.aborted) await failAll(claim, error);
  } finally {
    clearInterval(beat);
  }
}

/** In an outage too, so that jobs whose work it cut off are not taken for those of a worker that died. */
async function giveBack({ token }: Claim, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await releaseJobs(token);
    } catch (error) {
      if (signal.aborted) throw error;
      await pause(OUTAGE_POLL_MS, signal);
    }
  }
}

async function withoutGivenUp({ jobs }: Claim): Promise<Job[]> {
  const [givenUp, others] = [true, false].map((over) => jobs.filter(({ deaths }) => deaths >= DEATHS_MAX === over));
  for (const job of givenUp ?? []) {
    log().error({ jobId: job.id, kind: job.kind }, `worker: job given up, ${GIVEN_UP.reason}`);
    await failJob(job, GIVEN_UP);
  }
  return others ?? [];
}

const handlers: Record<Claim["kind"], (claim: Claim, turn: Turn) => Promise<void>> = {
  ingest,
  purge: eachJob(purge),
  "re-embed": eachJob(reEmbed),
  maintain: eachJob(maintain),
};

/** @returns false when the turn was over first: the job goes on in the next one */
type JobHandler = (job: Job, scope: TenantScope, turn: Turn) => Promise<boolean>;

function eachJob(handle: JobHandler) {
  return async ({ jobs }: Claim, turn: Turn) => {
    for (const job of jobs) {
      if (turn.over()) return;
      if (!(await handle(job, workScope([job]), turn))) return;
      await finishJob(job);
    }
  };
}

/** What is done already is held no more, and stays done. */
async function failAll({ jobs, kind }: Claim, error: unknown): Promise<void> {
  const failure = failureOf(error);
  if (failure.cause === "away") log().warn({ reason: failure.reason, kind, jobs: jobs.length }, "worker: jobs put off");
  else log().error({ err: error, kind, jobs: jobs.length }, "worker: jobs failed");
  for (const job of jobs) await failJob(job, failure, { shared: true });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
