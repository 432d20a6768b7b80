import { eq } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { companies } from "../db/schema/index.ts";
import { type CompanyId, type TenantScope, tenantScope } from "../db/tenant.ts";

/** The work's company was deleted while it was done: there is nothing to do for it any more. */
export class CompanyGone extends Error {
  override readonly name = "CompanyGone";
}

/**
 * A company as a worker writes to it: its transactions end once the company is deleted, and its deletion waits for those
 * that are open. Vectors and postings refer to no other row, so that nothing else would refuse them.
 * @throws {CompanyGone} from every transaction
 */
export function workScope(id: string): TenantScope {
  const scope = tenantScope(id);
  return {
    ...scope,
    transaction: (work) =>
      scope.transaction(async (tx) => {
        await holdCompany(tx, scope.companyId);
        return work(tx);
      }),
  };
}

async function holdCompany(tx: Transaction, id: CompanyId): Promise<void> {
  const held = await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, id)).for("key share");
  if (held.length === 0) throw new CompanyGone("The company was deleted");
}
