import { setImmediate } from "node:timers/promises";
import type { Sql, TransactionSql } from "postgres";

type Work = (tx: TransactionSql) => Promise<unknown>;

/** Whether a transaction has ended, and why. */
interface Fate {
  isOver: boolean;
  reason: unknown;
}

/** A new one each time, because it would keep everything that waits for it. */
const never = () => new Promise<never>(() => undefined);

/**
 * A client whose transactions end with their connection. The client itself (3.4.9) writes the rollback, the commit or
 * the next statement of such a transaction to a connection that is gone. The error ends the process, or the connection
 * object can never connect again.
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
  const fate: Fate = { isOver: false, reason: undefined };
  const end = (reason?: unknown) => Object.assign(fate, { isOver: true, reason });
  const begun = member(...given.map((each) => (isWork(each) ? (tx: TransactionSql) => run(each, tx, fate) : each)));
  // rejected as soon as the connection closes
  begun.then(() => end(), end);
  return begun;
}

function isWork(argument: unknown): argument is Work {
  return typeof argument === "function";
}

/** Runs the work of a transaction, and settles only if its connection can still commit or roll back. */
async function run(work: Work, tx: TransactionSql, fate: Fate): Promise<unknown> {
  try {
    const result = await work(untilOver(tx, fate));
    return fate.isOver ? never() : result;
  } catch (error) {
    // a connection that is closing has closed after two turns of the event loop
    await setImmediate();
    await setImmediate();
    if (fate.isOver || isFatal(error)) return never();
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

/** Whether the server closes the connection after this error. */
function isFatal(error: unknown): boolean {
  return error instanceof Error && "severity" in error && (error.severity === "FATAL" || error.severity === "PANIC");
}
