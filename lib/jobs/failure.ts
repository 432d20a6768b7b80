/** Why an attempt at a job failed. */
export interface Failure {
  /**
   * `final`: every further attempt would fail too. `unavailable`: something that the job needs does not respond, which
   * is not the job's fault. `unknown`: any other error.
   */
  cause: "final" | "unavailable" | "unknown";
  /** Stored with the job, for the operator. Everyone who waits for the job sees the reason of `unavailable`. */
  reason: string;
  /** Message for a person, for when the job is not retried any more. */
  shown: string;
}
