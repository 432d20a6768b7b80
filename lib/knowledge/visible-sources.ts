import { type SQL, sql } from "drizzle-orm";
import { policyOf } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import type { CompanyId } from "../db/tenant.ts";
import { notFound } from "../errors.ts";
import { filtersOfPolicy } from "../retrieval/apply-policy.ts";
import { filterCondition } from "../search-index/source-filters.ts";

const TABLES = { source: sql`sources`, version: sql`seen` };

/**
 * The condition on `ragstone.sources` that keeps the sources an actor may see: for a key those that pass its policy, by
 * the labels of the newest version and of the served one. Undefined when the actor may see all.
 */
export function visibleTo(companyId: CompanyId, actor: Actor): SQL | undefined {
  const filters = filtersOfPolicy(policyOf(actor));
  if (filters === "nothing") return sql`false`;
  if (Object.keys(filters).length === 0) return undefined;
  return sql`exists (select from ragstone.source_versions seen where seen.company_id = sources.company_id
    and seen.id = coalesce(sources.current_version_id, sources.latest_version_id) and ${filterCondition(companyId, TABLES, filters)})`;
}

/** @throws {AppError} NotFound unless the source exists and the actor may see it */
export async function requireVisible(tx: Transaction, companyId: CompanyId, actor: Actor, id: string): Promise<void> {
  const visible = visibleTo(companyId, actor);
  if (!visible) return;
  const rows = await tx.execute(
    sql`select 1 from ragstone.sources where company_id = ${companyId} and id = ${id} and ${visible}`,
  );
  if (rows.length === 0) throw notFound("Source");
}
