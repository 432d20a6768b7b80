import { setTimeout } from "node:timers/promises";
import type { Sql, TransactionSql } from "postgres";

type Work = (tx: TransactionSql) => unknown;

/** How a transaction ends. */
interface Fate {
  isOver: boolean;
  reason: unknown;
  /** Rejects the transaction, whatever its connection does. */
  fail(reason: unknown): void;
}

/** A new one each time, because a shared one would keep everything that waits for it. */
const never = () => new Promise<never>(() => undefined);

/**
 * A client whose transactions end with their connection. postgres.js 3.4.9 writes the rollback, the commit or the next
 * statement to a closed connection, which ends the process or leaves a connection that cannot reconnect.
 */
export function endWithConnection(client: Sql): Sql {
  return new Proxy<Sql>(client, {
    get(target: object, property) {
      const member = Reflect.get(target, property);
      return property === "begin" ? (...given: unknown[]) => begin(member, given) : member;
    },
  });
}

function begin(member: (...given: unknown[]) => Promise<unknown>, given: unknown[]): Promise<unknown> {
  const failed = Promise.withResolvers<never>();
  const fate: Fate = { isOver: false, reason: undefined, fail: failed.reject };
  const end = (reason?: unknown) => Object.assign(fate, { isOver: true, reason });
  const begun = member(...given.map((each) => (isWork(each) ? (tx: TransactionSql) => run(each, tx, fate) : each)));
  const ended = Promise.race([begun, failed.promise]);
  // rejected as soon as the connection closes
  ended.then(() => end(), end);
  return ended;
}

function isWork(argument: unknown): argument is Work {
  return typeof argument === "function";
}

/** Runs the work of a transaction, and settles only if its connection can still commit or roll back. */
async function run(work: Work, tx: TransactionSql, fate: Fate): Promise<unknown> {
  try {
    const made = work(untilOver(tx, fate));
    const result = await (Array.isArray(made) ? Promise.all(made) : made);
    return fate.isOver ? never() : result;
  } catch (error) {
    // a connection that is closing has closed when timers run again
    await setTimeout(0);
    // a rollback would wait behind a statement that is never answered
    if (isDestroyed(error)) fate.fail(error);
    if (fate.isOver || isDestroyed(error)) return never();
    throw error;
  }
}

function untilOver(tx: TransactionSql, fate: Fate): TransactionSql {
  return new Proxy<TransactionSql>(tx, {
    get(target: object, property) {
      if (fate.isOver) throw fate.reason ?? new Error("The transaction has ended.");
      return Reflect.get(target, property);
    },
  });
}

/** Whether the pool was closed while the connection was in use. */
function isDestroyed(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "CONNECTION_DESTROYED") || isDestroyed(error.cause);
}
