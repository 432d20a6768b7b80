import { asc, eq } from "drizzle-orm";
import { connection, type Transaction } from "../client.ts";
import { companies, subscriptions } from "../schema/index.ts";

type CompanyRow = typeof companies.$inferSelect;
type SubscriptionRow = typeof subscriptions.$inferSelect;

export async function selectCompanies() {
  return connection().db.select().from(companies).orderBy(asc(companies.createdAt), asc(companies.id));
}

/** A company with its subscription: `ACTIVE`, with no end. `also` writes in the same transaction, `first` before. */
export async function insertCompany(
  values: typeof companies.$inferInsert,
  also: (tx: Transaction, created: { company: CompanyRow; subscription: SubscriptionRow }) => Promise<void>,
  first?: (tx: Transaction) => Promise<void>,
): Promise<CompanyRow> {
  return connection().db.transaction(async (tx) => {
    await first?.(tx);
    const [company] = await tx.insert(companies).values(values).returning();
    if (!company) throw new Error("insert returned no row");
    const [subscription] = await tx.insert(subscriptions).values({ companyId: company.id }).returning();
    if (!subscription) throw new Error("insert returned no row");
    await also(tx, { company, subscription });
    return company;
  });
}

/**
 * The last row of a company, once its scope has emptied the tables. `rest` deletes what was written since: nobody
 * writes any more meanwhile. @returns whether it was there
 */
export async function deleteCompanyRow(id: string, rest?: (tx: Transaction) => Promise<void>): Promise<boolean> {
  return connection().db.transaction(async (tx) => {
    await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, id)).for("update");
    await rest?.(tx);
    const rows = await tx.delete(companies).where(eq(companies.id, id)).returning({ id: companies.id });
    return rows.length > 0;
  });
}
