import { type SQL, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Transaction } from "../../db/client.ts";
import { sources } from "../../db/schema/index.ts";
import type { CompanyId } from "../../db/tenant.ts";
import { isRestorable } from "../queries.ts";
import type { LabelCount } from "./facets.ts";
import { latest, listedCondition, statusColumn, toLatest, verificationColumn } from "./source-rows.ts";

const KEPT_BYTES = 16 << 20;
const ENTRY_BYTES = 500;

interface Kept {
  state: string;
  /** As JSON, whose size is known. */
  labels: string;
}

/** The labels of all sources of a company, because its list counts them at each refresh, page and filter. */
const kept = new LRUCache<CompanyId, Kept>({
  maxSize: KEPT_BYTES,
  sizeCalculation: ({ labels }) => 2 * labels.length + ENTRY_BYTES,
});

/** How many of the listed sources have the same labels. @param found a condition that they meet */
export async function countLabels(tx: Transaction, companyId: CompanyId, found?: SQL): Promise<LabelCount[]> {
  return JSON.parse(await (found ? readLabels(tx, companyId, found) : keptLabels(tx, companyId)));
}

async function keptLabels(tx: Transaction, companyId: CompanyId): Promise<string> {
  const state = await stateOfLabels(tx, companyId);
  const known = kept.get(companyId);
  if (known?.state === state) return known.labels;
  const labels = await readLabels(tx, companyId);
  kept.set(companyId, { state, labels });
  return labels;
}

/**
 * The same as long as all listed sources have the same labels. Without a new content stamp, sources only fail, the day
 * of a verification ends, and deleted sources can no longer be restored.
 */
async function stateOfLabels(tx: Transaction, companyId: CompanyId): Promise<string> {
  const [row] = await tx.execute<{ state: string }>(sql`
    select concat_ws(' ', content_stamp, (now() at time zone 'utc')::date,
      (select count(*) from ${sources} where company_id = ${companyId} and ${isRestorable}),
      (select count(*) from ragstone.source_versions failed
        join ragstone.sources source on source.company_id = ${companyId} and source.id = failed.source_id
        where failed.company_id = ${companyId} and failed.state = 'failed' and failed.purged_at is null
          and source.latest_version_id = failed.id and source.deleted_at is null)) as state
    from ragstone.companies where id = ${companyId}`);
  return row?.state ?? "";
}

/** Reads one JSON text, because the driver needs longer for thousands of rows with arrays than the database. */
async function readLabels(tx: Transaction, companyId: CompanyId, found?: SQL): Promise<string> {
  const labels = tx
    .select({
      type: sql`${latest.sourceType}`.as("type"),
      audience: sql`${latest.audience}`.as("audience"),
      category: sql`${latest.contentCategory}`.as("category"),
      path: sql`${latest.path}`.as("path"),
      status: sql`${statusColumn}`.as("status"),
      verification: sql`${verificationColumn}`.as("verification"),
      count: sql`count(*)`.as("count"),
    })
    .from(sources)
    .innerJoin(latest, toLatest)
    .where(listedCondition(companyId, found))
    .groupBy(...[1, 2, 3, 4, 5, 6].map((column) => sql.raw(String(column))))
    .as("labels");
  // without table statistics the planner sorts, and comparing arrays is slow
  await tx.execute(sql`set local enable_sort = off`);
  const [row] = await tx.select({ all: sql<string>`coalesce(json_agg(labels), '[]')::text` }).from(labels);
  await tx.execute(sql`set local enable_sort = on`);
  return row?.all ?? "[]";
}
