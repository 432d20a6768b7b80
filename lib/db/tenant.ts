import { z } from "zod";
import { connection, type Transaction } from "./client.ts";

const companyIdSchema = z.uuid().brand<"CompanyId">();
export type CompanyId = z.infer<typeof companyIdSchema>;

/** The only access to a company's rows: a scope needs a company, and row-level security limits it to that company. */
export interface TenantScope {
  readonly companyId: CompanyId;
  /** Runs `work` in a transaction under the application's role, in which the database shows only this company. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Like `transaction`, but read-only and at a single point in time. */
  snapshot<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** @throws {z.ZodError} when the id is not a UUID */
export function tenantScope(id: string): TenantScope {
  const companyId = companyIdSchema.parse(id);
  // sent as one message to save a round trip
  const rlsPreamble = `set local role ragstone_app; set local app.company_id = '${companyId}'`;
  function transaction<T>(opening: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return connection().db.transaction(async (tx) => {
      await simpleQuery(tx, opening);
      return work(tx);
    });
  }
  return {
    companyId,
    transaction: (work) => transaction(rlsPreamble, work),
    snapshot: (work) => transaction(`set transaction isolation level repeatable read, read only; ${rlsPreamble}`, work),
  };
}

/** Runs several statements without parameters at once; Drizzle itself sends one at a time. */
export async function simpleQuery(tx: Transaction, statements: string): Promise<void> {
  const { session } = tx as unknown as {
    session: { client: { unsafe(text: string): Promise<unknown> } };
  };
  await session.client.unsafe(statements);
}
