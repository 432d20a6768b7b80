/** Times to wait for the database. */
export const DATABASE_TIMEOUTS = {
  /** For the first query of a request: short enough that the response comes within three seconds. */
  firstQueryMs: 2_500,
  /** From the first to the last of several time-outs. Queries that time out together may share one cause of short duration. */
  silentMs: 4_000,
  /** A query that hangs for this long after its time-out hangs on a dead connection, even if others are answered. */
  hangingMs: 8_000,
  /** Between two looks at what a replaced pool still runs. */
  checkEveryMs: 5_000,
};
