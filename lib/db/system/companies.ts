import { asc, eq } from "drizzle-orm";
import { connection, type Transaction } from "../client.ts";
import { requireRow } from "../require-row.ts";
import { companies, subscriptions } from "../schema/index.ts";

type CompanyRow = typeof companies.$inferSelect;
type SubscriptionRow = typeof subscriptions.$inferSelect;

export async function selectCompanies() {
  return connection().db.select().from(companies).orderBy(asc(companies.createdAt), asc(companies.id));
}

/**
 * Inserts a company with an open-ended `ACTIVE` subscription. `first` and `also` run in the same transaction, before
 * and after.
 */
export async function insertCompany(
  values: typeof companies.$inferInsert,
  also: (tx: Transaction, created: { company: CompanyRow; subscription: SubscriptionRow }) => Promise<void>,
  first?: (tx: Transaction) => Promise<void>,
): Promise<CompanyRow> {
  return connection().db.transaction(async (tx) => {
    await first?.(tx);
    const company = requireRow(await tx.insert(companies).values(values).returning());
    const subscription = requireRow(await tx.insert(subscriptions).values({ companyId: company.id }).returning());
    await also(tx, { company, subscription });
    return company;
  });
}

/**
 * Deletes the row of a company after its tenant scope has emptied the tables. `rest` deletes rows that were written
 * later, under a lock on the company that prevents further writes.
 * @returns whether the company existed
 */
export async function deleteCompanyRow(id: string, rest?: (tx: Transaction) => Promise<void>): Promise<boolean> {
  return connection().db.transaction(async (tx) => {
    await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, id)).for("update");
    await rest?.(tx);
    const rows = await tx.delete(companies).where(eq(companies.id, id)).returning({ id: companies.id });
    return rows.length > 0;
  });
}
