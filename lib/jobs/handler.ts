import type { Transaction } from "../db/client.ts";
import type { Failure } from "./failure.ts";
import type { Claim, Job } from "./job.ts";
import type { Turn } from "./turn.ts";

/** How the jobs of one kind are done. */
export interface JobHandler {
  /** Does the jobs of a claim, or as many as the turn allows. Jobs that it neither finishes nor fails are released. */
  run(claim: Claim, context: JobContext): Promise<void>;
  /** Runs in the transaction in which a job fails for good. */
  onFailed?(tx: Transaction, job: Job, failure: Failure): Promise<void>;
}

/** What the worker gives to a handler. */
export interface JobContext {
  turn: Turn;
  /** Lets the lane's next claim begin, because this one has read everything and has only to store it. */
  letNextBegin(): void;
  /** Whether the other jobs of the claim would fail with the same error. */
  affectsEveryJob(error: unknown): boolean;
  /**
   * Records that an attempt at a job failed, so that the other jobs can go on.
   * @throws the error itself if it affects every job
   */
  failAttempt(job: Job, error: unknown): Promise<void>;
}
