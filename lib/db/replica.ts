import { env } from "../env.ts";
import { AppError } from "../errors.ts";
import { log } from "../log.ts";
import { singleton } from "../singleton.ts";
import { withTimeout } from "../timeout.ts";
import { type Connection, connect } from "./client.ts";

/** A replica that hangs fails after this time. */
const READ_MAX_MS = 2_000;
/** How long only the database answers after the replica has failed. */
const PAUSE_MS = 10_000;

interface Replica {
  url: string;
  connection: Connection;
  pausedUntil: number;
}

const REPLICA = singleton("replica", () => open(env().databaseReplicaUrl));

function open(url: string | null): Replica | null {
  return url === null ? null : { url, connection: connect({ url }), pausedUntil: 0 };
}

/** The connection pool of `DATABASE_REPLICA_URL`; null without one. */
export function replica(): Connection | null {
  return REPLICA.get()?.connection ?? null;
}

/**
 * Reads from the replica.
 * @returns null when the database must answer: without a replica, after a failure of the replica, or when `read` finds
 * nothing
 */
export async function onReplica<Result>(read: (replica: Connection) => Promise<Result | null>): Promise<Result | null> {
  const state = REPLICA.get();
  if (!state || Date.now() < state.pausedUntil) return null;
  try {
    return await withTimeout(read(state.connection), READ_MAX_MS, () => new Error("no response in time"));
  } catch (error) {
    // the database may have what the replica does not have yet
    if (error instanceof AppError) return null;
    pause(state, error);
    return null;
  }
}

/** Stops using the replica for a while, once for all reads that fail together. A read that hangs would keep its connection. */
function pause(state: Replica, error: unknown): void {
  if (Date.now() < state.pausedUntil) return;
  state.pausedUntil = Date.now() + PAUSE_MS;
  log().warn({ err: error }, "the replica failed, so only the database answers for 10 seconds");
  void state.connection.close();
  state.connection = connect({ url: state.url });
}

/** Replaces the replica, for tests. */
export function setReplica(url: string): void {
  REPLICA.set(open(url));
}

export async function closeReplica(): Promise<void> {
  const replica = REPLICA.peek();
  REPLICA.set();
  await replica?.connection.close();
}
