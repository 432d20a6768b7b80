import { randomUUID } from "node:crypto";
import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { z } from "zod";
import { type Connection, connection, type Transaction } from "./client.ts";
import { sendBoth } from "./send.ts";

const companyIdSchema = z.uuid().brand<"CompanyId">();
export type CompanyId = z.infer<typeof companyIdSchema>;

/** The only access to a company's rows: a scope needs a company, and row-level security limits it to that company. */
export interface TenantScope {
  readonly companyId: CompanyId;
  /** Runs `work` in a transaction under the application's role, in which the database shows only this company. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Like `transaction`, for every change of what retrieval returns: gives the company a new content stamp, so that no
   * index in memory serves the former content.
   */
  changeContent<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Like `transaction`, but read-only and at a single point in time.
   * @param from a replica of the database, which may lag behind
   */
  snapshot<T>(work: (tx: Transaction) => Promise<T>, from?: Connection): Promise<T>;
  /**
   * Runs statements without parameters as a snapshot, all in one message: one round trip, and no connection is held.
   * @param from a replica of the database, which may lag behind
   * @returns the rows of each statement
   */
  read<Rows extends object[]>(
    statements: { [Index in keyof Rows]: SQL },
    from?: Connection,
  ): Promise<{
    [Index in keyof Rows]: Rows[Index][];
  }>;
  /**
   * Runs statements without parameters in a transaction, all in one message: the database never waits for this process
   * while it holds locks or, embedded, its only session.
   * @returns the rows that the statements return
   */
  write<Row extends object>(statements: SQL[]): Promise<Row[]>;
}

/** @throws {z.ZodError} when the id is not a UUID */
export function tenantScope(id: string): TenantScope {
  const companyId = companyIdSchema.parse(id);
  // sent as one message to save a round trip; compiling a statement takes PostgreSQL longer than any statement saves
  const rlsPreamble = `set local role ragstone_app; set local app.company_id = '${companyId}'; set local jit = off`;
  const snapshotPreamble = `set transaction isolation level repeatable read, read only; ${rlsPreamble}`;
  function transaction<T>(opening: string, work: (tx: Transaction) => Promise<T>, on = connection()): Promise<T> {
    return on.db.transaction(async (tx) => {
      const [, result] = await sendBoth(
        () => simpleQuery(tx, opening),
        () => work(tx),
      );
      return result;
    });
  }
  return {
    companyId,
    transaction: (work) => transaction(rlsPreamble, work),
    async changeContent(work) {
      const stamp = `update ragstone.companies set content_stamp = '${randomUUID()}' where id = '${companyId}'`;
      const [result, stamped] = await transaction(rlsPreamble, async (tx) => {
        const done = await work(tx);
        // last, because others wait for this row while they hold their sources; the commit does not wait for the answer
        return [done, Promise.allSettled([simpleQuery(tx, stamp)])] as const;
      });
      // if the stamp failed, the commit rolled back and reported no error
      const [answer] = await stamped;
      if (answer.status === "rejected") throw answer.reason;
      return result;
    },
    snapshot: (work, from) => transaction(snapshotPreamble, work, from),
    async read<Rows extends object[]>(statements: { [Index in keyof Rows]: SQL }, from = connection()) {
      const results = await from.sql.unsafe<{ [Index in keyof Rows]: Rows[Index][] }>(
        message(snapshotPreamble, statements),
      );
      return results.slice(-statements.length) as typeof results;
    },
    async write<Row extends object>(statements: SQL[]) {
      const results = await connection().sql.unsafe<Row[][]>(message(rlsPreamble, statements));
      return results.flatMap((rows) => [...rows]);
    },
  };
}

const DIALECT = new PgDialect();

/** PostgreSQL runs the statements of one message in one transaction. */
function message(preamble: string, statements: SQL[]): string {
  return [preamble, ...statements.map(literalStatement)].join("; ");
}

/** Runs statements without parameters, all in one message of a transaction. */
export async function runAtOnce(tx: Transaction, statements: SQL[]): Promise<void> {
  await simpleQuery(tx, statements.map(literalStatement).join("; "));
}

function literalStatement(statement: SQL): string {
  const { sql: text, params } = DIALECT.sqlToQuery(statement);
  if (params.length > 0) throw new Error("a statement of a message has no parameters");
  return text;
}

/**
 * Runs several statements without parameters together; Drizzle itself sends one at a time. They are sent before the
 * statements of any later call.
 */
export async function simpleQuery(tx: Transaction, statements: string): Promise<void> {
  const { session } = tx as unknown as {
    session: { client: { unsafe(text: string): { execute(): Promise<unknown> } } };
  };
  // `execute` hands them over at the next microtask, as early as the driver allows
  await session.client.unsafe(statements).execute();
}
