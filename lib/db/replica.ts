import { env } from "../env.ts";
import { AppError } from "../errors.ts";
import { log } from "../log.ts";
import { singleton } from "../singleton.ts";
import { withTimeout } from "../timeout.ts";
import { type Connection, connect } from "./client.ts";

/** A replica that hangs fails after this time. */
const READ_MAX_MS = 2_000;
/** How long the database answers alone after the replica has failed. */
const PAUSE_MS = 10_000;

interface Replica {
  connection: Connection | null;
  pausedUntil: number;
}

const REPLICA = singleton("replica", (): Replica => {
  const { databaseReplicaUrl } = env();
  return { connection: databaseReplicaUrl ? connect({ url: databaseReplicaUrl }) : null, pausedUntil: 0 };
});

/** The connection pool of `DATABASE_REPLICA_URL`; null without one. */
export function replica(): Connection | null {
  return REPLICA.get().connection;
}

/**
 * Reads from the replica.
 * @returns null when the database must answer: without a replica, after a failure of the replica, or when `read` finds
 * nothing
 */
export async function onReplica<Result>(read: (replica: Connection) => Promise<Result | null>): Promise<Result | null> {
  const state = REPLICA.get();
  if (!state.connection || Date.now() < state.pausedUntil) return null;
  try {
    return await withTimeout(read(state.connection), READ_MAX_MS, () => new Error("no response in time"));
  } catch (error) {
    // the database may have what the replica does not have yet
    if (error instanceof AppError) return null;
    state.pausedUntil = Date.now() + PAUSE_MS;
    log().warn({ err: error }, "the replica failed, so the database answers alone for 10 seconds");
    return null;
  }
}

/** Sets the connection that tests provide; null closes it. */
export function setReplica(connection: Connection | null): void {
  REPLICA.set({ connection, pausedUntil: 0 });
}

export async function closeReplica(): Promise<void> {
  const open = REPLICA.peek();
  REPLICA.set();
  await open?.connection?.close();
}
