import { eq } from "drizzle-orm";
import type { Transaction } from "./client.ts";
import { companies } from "./schema/index.ts";
import type { CompanyId } from "./tenant.ts";

/**
 * Locks the company's row until the transaction ends, for a change that depends on it or on how much the company has: of
 * two such changes at the same time, the second waits for the transaction of the first. A transaction that also locks
 * sources or originals locks those first, because a change of content locks this row last.
 */
export async function lockCompany(tx: Transaction, companyId: CompanyId) {
  const [row] = await tx.select().from(companies).where(eq(companies.id, companyId)).for("no key update");
  return row;
}
