import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { embedder } from "../ai/models.ts";
import { noticeReadOnly } from "../db/database-outage.ts";
import type { JobContext } from "../jobs/handler.ts";
import type { Claim, Lane } from "../jobs/job.ts";
import { announceWorker, type Presence } from "../jobs/presence.ts";
import {
  claimJobs,
  heartbeat,
  LEASE_SECONDS,
  releaseJobs,
  requeueExpired,
  requeueJobsOfDeadWorker,
} from "../jobs/queue.ts";
import { startTurn } from "../jobs/turn.ts";
import { LeaseLost } from "../jobs/work-scope.ts";
import { log } from "../log.ts";
import { sweepSpool } from "../storage/spool.ts";
import { affectsEveryJob } from "./classify-failure.ts";
import { failAll, failAttempt, failFatal } from "./fail-jobs.ts";
import { HANDLERS } from "./handlers.ts";
import { backUpDaily, scheduleMaintenance, scheduleTestRuns } from "./maintain.ts";

const IDLE_POLL_MS = 500;
const OUTAGE_POLL_MS = 2_000;
const MAINTENANCE_EVERY_MS = 10 * 60_000;
const TEST_RUNS_EVERY_MS = 15_000;
const EXPIRED_LEASES_EVERY_MS = 2_000;

interface WorkerOptions {
  signal: AbortSignal;
  /** The successor of a worker that died has the same id, and takes over its jobs. */
  id?: string;
  /** Run only this company's jobs, as the command line does. */
  companyId?: string;
  /** Return when no job is due, instead of waiting for more. */
  untilIdle?: boolean;
}

interface Worker extends Pick<WorkerOptions, "signal" | "companyId"> {
  id: string;
  presence: Presence;
}

/** The claims before and after a claim in its lane. */
interface Neighbours {
  /** Resolves when the claim before has ended. */
  before: Promise<void>;
  letNextBegin: JobContext["letNextBegin"];
}

const ALONE: Neighbours = { before: Promise.resolve(), letNextBegin: () => undefined };

/**
 * Runs jobs until it is told to stop, both lanes at the same time. An error of a job is recorded with that job. During
 * an outage of the database the worker waits.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { signal, id = randomUUID(), companyId, untilIdle = false } = options;
  const presence = await announceWorker(id, { untilIdle, modelInUse });
  const worker = { signal, id, companyId, presence };
  try {
    if (untilIdle) return await workUntilIdle(worker);
    // in an outage, the leases expire by themselves
    await requeueJobsOfDeadWorker(id).catch(() => undefined);
    const lanes = [workInLane("quick", worker), workInLane("slow", worker)];
    await Promise.all([...lanes, requeueRegularly(worker), scheduleRegularly(worker), backUpRegularly(worker)]);
  } finally {
    await presence.withdraw();
  }
}

/** Null while the provider is unavailable and its dimensions are unknown; nothing can be embedded then. */
async function modelInUse(): Promise<string | null> {
  return embedder().then(
    ({ modelId }) => modelId,
    () => null,
  );
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

/** A claim begins when the one before has nothing left to read, and waits for its end before it lets another begin. */
async function workInLane(lane: Lane, { signal, id, companyId, presence }: Worker): Promise<void> {
  let after: string | null = null;
  let last = Promise.resolve();
  while (!signal.aborted) {
    try {
      const claim: Claim | null = presence.conflict() ? null : await claimJobs(lane, { owner: id, companyId, after });
      if (claim) {
        after = claim.companyId;
        const before = last;
        const read = Promise.withResolvers<void>();
        last = workAndRelease(claim, signal, { before, letNextBegin: read.resolve });
        // awaited below or in the next round
        last.catch(() => undefined);
        await Promise.race([read.promise, last]);
        await before;
      } else await pause(IDLE_POLL_MS, signal);
    } catch (error) {
      if (signal.aborted) break;
      noticeReadOnly(error);
      log().error({ err: error }, "worker: could not work");
      await pause(OUTAGE_POLL_MS, signal);
    }
  }
  await last.catch(() => undefined);
}

async function workAndRelease(claim: Claim, signal: AbortSignal, neighbours: Neighbours): Promise<void> {
  try {
    await work(claim, signal, neighbours);
  } finally {
    // also after an error that could not be recorded because the database is unavailable
    await releaseDespiteOutage(claim, signal);
  }
}

/** While both lanes are busy, nothing else looks for the jobs of a worker that died. */
async function requeueRegularly({ signal }: Worker): Promise<void> {
  while (!signal.aborted) {
    // in an outage, the lanes log what is wrong
    await requeueExpired().catch(() => undefined);
    await pause(EXPIRED_LEASES_EVERY_MS, signal);
  }
}

/** Schedules test runs every 15 seconds, and maintenance every ten minutes and after a model conflict, to re-embed. */
async function scheduleRegularly({ signal, presence }: Worker): Promise<void> {
  let nextTests = 0;
  for (let next = 0; !signal.aborted; await pause(IDLE_POLL_MS, signal)) {
    if (performance.now() >= nextTests) {
      await scheduleTestRuns().catch((error: unknown) =>
        log().error({ err: error }, "worker: could not schedule test runs"),
      );
      nextTests = performance.now() + TEST_RUNS_EVERY_MS;
    }
    if (presence.conflict()) next = 0;
    else if (performance.now() >= next) {
      await sweepSpool().catch((error: unknown) => log().warn({ err: error }, "worker: could not sweep uploads"));
      await scheduleMaintenance().catch((error: unknown) =>
        log().error({ err: error }, "worker: could not schedule maintenance"),
      );
      next = performance.now() + MAINTENANCE_EVERY_MS;
    }
  }
}

/** Apart from the other scheduled work, which would wait for minutes until a large database is read. */
async function backUpRegularly({ signal, presence }: Worker): Promise<void> {
  for (; !signal.aborted; await pause(presence.conflict() ? IDLE_POLL_MS : MAINTENANCE_EVERY_MS, signal)) {
    if (!presence.conflict()) await backUpDaily();
  }
}

/** Gives the jobs of a claim to their handler, for one turn. */
async function work(claim: Claim, stop: AbortSignal, { before, letNextBegin }: Neighbours = ALONE): Promise<void> {
  const lost = new AbortController();
  const signal = AbortSignal.any([stop, lost.signal]);
  // a job that kills its worker every time would make jobs that run beside it fail too
  const mustBeAlone = claim.jobs.some(({ deaths }) => deaths > 0);
  const beat = setInterval(
    () => {
      heartbeat(claim.token).then(
        (held) => held || lost.abort(new LeaseLost("Another worker has taken over the jobs")),
        // after an outage, the lease may still be held
        (error: unknown) => log().warn({ err: error }, "worker: heartbeat failed"),
      );
    },
    (LEASE_SECONDS * 1_000) / 4,
  );
  try {
    if (mustBeAlone) await before.catch(() => undefined);
    const jobs = await failFatal(claim.jobs);
    const context: JobContext = {
      turn: startTurn(claim.lane, signal),
      letNextBegin: mustBeAlone ? () => undefined : letNextBegin,
      affectsEveryJob,
      failAttempt,
    };
    if (jobs.length > 0) await HANDLERS[claim.kind].run({ ...claim, jobs }, context);
  } catch (error) {
    if (error instanceof LeaseLost) log().warn({ reason: error.message, kind: claim.kind }, "worker: lease lost");
    else if (!signal.aborted) await failAll(claim, error);
  } finally {
    clearInterval(beat);
  }
}

/** Retries in an outage, so that interrupted jobs do not count as jobs of a worker that died. */
async function releaseDespiteOutage({ token }: Claim, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await releaseJobs(token);
    } catch (error) {
      if (signal.aborted) throw error;
      await pause(OUTAGE_POLL_MS, signal);
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
