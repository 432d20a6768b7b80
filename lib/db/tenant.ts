import { z } from "zod";
import { connection, type Transaction } from "./client.ts";

const companyIdSchema = z.uuid().brand<"CompanyId">();
export type CompanyId = z.infer<typeof companyIdSchema>;

/** The only way to a company's rows: it cannot exist without a company, and row-level security holds it to that one. */
export interface TenantScope {
  readonly companyId: CompanyId;
  /** One transaction as the application's role, in which the database shows this company alone. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The same, reading only, and all of it as of one moment. */
  snapshot<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** @throws {z.ZodError} when the id is not a UUID */
export function tenantScope(id: string): TenantScope {
  const companyId = companyIdSchema.parse(id);
  // one message, so that the walls cost one round trip
  const walls = `set local role ragstone_app; set local app.company_id = '${companyId}'`;
  function transaction<T>(opening: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return connection().db.transaction(async (tx) => {
      await simpleQuery(tx, opening);
      return work(tx);
    });
  }
  return {
    companyId,
    transaction: (work) => transaction(walls, work),
    snapshot: (work) => transaction(`set transaction isolation level repeatable read, read only; ${walls}`, work),
  };
}

/** Statements without parameters, several at once; Drizzle itself sends one at a time. */
export async function simpleQuery(tx: Transaction, statements: string): Promise<void> {
  const { session } = tx as unknown as {
    session: { client: { unsafe(text: string): Promise<unknown> } };
  };
  await session.client.unsafe(statements);
}
