import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { companies, sources, sourceVersions } from "../db/schema/index.ts";
import { uuidArray } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";

interface InCompany {
  companyId: CompanyId;
}

export async function companySettings(tx: Transaction, companyId: CompanyId) {
  const [row] = await tx
    .select({ defaultAudience: companies.defaultAudience, embeddingModelId: companies.embeddingModelId })
    .from(companies)
    .where(eq(companies.id, companyId));
  if (!row) throw new Error("the company is gone");
  return row;
}

/** The sources of the callers' identifiers, made when they are new, and locked for this transaction. */
export async function upsertSources(tx: Transaction, { companyId, sourceIds }: InCompany & { sourceIds: string[] }) {
  const rows = await tx
    .insert(sources)
    // in one order, so that two transactions cannot wait for each other
    .values([...sourceIds].sort().map((sourceId) => ({ companyId, sourceId })))
    .onConflictDoUpdate({ target: [sources.companyId, sources.sourceId], set: { updatedAt: sql`now()` } })
    .returning({ id: sources.id, sourceId: sources.sourceId, deletedAt: sources.deletedAt });
  return new Map(rows.map((row) => [row.sourceId, row]));
}

/** By source, its newest version. */
export async function latestVersions(tx: Transaction, { companyId, ids }: InCompany & { ids: string[] }) {
  const { id, sourceId, number, state, contentHash } = sourceVersions;
  const rows = await tx
    .selectDistinctOn([sourceId], { id, sourceId, number, state, contentHash })
    .from(sourceVersions)
    .where(and(eq(sourceVersions.companyId, companyId), inArray(sourceId, ids)))
    .orderBy(sourceId, desc(number));
  return new Map(rows.map((row) => [row.sourceId, row]));
}

export async function insertVersions(
  tx: Transaction,
  values: (typeof sourceVersions.$inferInsert & { id: string })[],
): Promise<void> {
  await tx.insert(sourceVersions).values(values);
}

/** What was deleted of these sources stays deleted when they are given anew: nothing serves until that is built. */
export async function forgetDeleted(tx: Transaction, { companyId, ids }: InCompany & { ids: string[] }) {
  if (ids.length === 0) return;
  const deleted = and(eq(sources.companyId, companyId), inArray(sources.id, ids));
  const served = tx.select({ id: sources.currentVersionId }).from(sources).where(deleted);
  await tx
    .update(sourceVersions)
    .set({ state: "superseded" })
    .where(and(eq(sourceVersions.companyId, companyId), inArray(sourceVersions.id, served)));
  await tx.update(sources).set({ currentVersionId: null, deletedAt: null }).where(deleted);
}

/** From now on these are what their sources are to become. */
export async function pointToLatest(tx: Transaction, { companyId, versionIds }: InCompany & { versionIds: string[] }) {
  await tx
    .update(sources)
    .set({ latestVersionId: sourceVersions.id })
    .from(sourceVersions)
    .where(
      and(
        eq(sources.companyId, companyId),
        eq(sourceVersions.companyId, companyId),
        eq(sourceVersions.sourceId, sources.id),
        sql`${sourceVersions.id} = any(${uuidArray(versionIds)})`,
      ),
    );
}
