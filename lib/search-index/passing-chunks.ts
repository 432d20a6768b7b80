import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import type { SourceType } from "../db/column-values.ts";
import type { lexicalBlocks } from "../db/schema/index.ts";
import { companyLiteral, intsLiteral, textArray } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { SLOTS_PER_BLOCK } from "./postings.ts";

const SLOTS = sql.raw(String(SLOTS_PER_BLOCK));

/** The filters of a search. A missing entry restricts nothing; a list is never empty. */
export interface EffectiveFilters {
  /** The source is meant for at least one of these audiences. */
  audience?: string[];
  sourceTypes?: SourceType[];
  contentCategory?: string[];
  /** The source's path begins with these segments. */
  path?: string[];
}

interface InCompany {
  companyId: CompanyId;
}

const TOTALS = sql`sum(c.word_length)::int as "wordTotal", sum(c.gram_length)::int as "gramTotal",
  sum(c.piece_count)::int as "pieceTotal", sum(c.raw_word_count)::int as "rawWordTotal"`;

/** Totals over chunks of a block, which BM25 and the weight of the vector score need. */
export type BlockTotals = Pick<
  typeof lexicalBlocks.$inferSelect,
  "block" | "wordTotal" | "gramTotal" | "pieceTotal" | "rawWordTotal"
>;

/** For each block, the slots of all chunks, live or not, whose sources pass the filters, and the totals over these chunks. */
export async function passingChunks(
  tx: Transaction,
  { companyId, filters }: InCompany & { filters: EffectiveFilters },
) {
  // the caller checks which slots are live: joining the bitmaps makes the planner scan every chunk of the company
  const rows = await tx.execute<BlockTotals & { slots: string }>(sql`
    select c.ordinal / ${SLOTS} as block, string_agg((c.ordinal % ${SLOTS})::text, ',') as slots, ${TOTALS}
    from ragstone.sources s
    join ragstone.source_versions v on v.company_id = s.company_id and v.id = s.current_version_id
    join ragstone.chunks c on c.company_id = s.company_id and c.source_id = s.id
    where s.company_id = ${companyId} and s.deleted_at is null and ${isVisible(filters)}
    group by 1`);
  return rows.map(({ slots, ...totals }) => ({ ...totals, slots: slots.split(",").map(Number) }));
}

/** Totals over these chunks, by block. */
export async function readBlockTotals(tx: Transaction, { companyId, ordinals }: InCompany & { ordinals: number[] }) {
  if (ordinals.length === 0) return [];
  return tx.execute<BlockTotals & Record<string, unknown>>(sql`
    select c.ordinal / ${SLOTS} as block, ${TOTALS}
    from ragstone.chunks c where c.company_id = ${companyLiteral(companyId)} and c.ordinal = any(${intsLiteral(ordinals)})
    group by 1`);
}

/** Whether the served version of a source passes the filters. */
export async function passesFilters(
  tx: Transaction,
  { companyId, id, filters }: InCompany & { id: string; filters: EffectiveFilters },
): Promise<boolean> {
  const [row] = await tx.execute<{ passes: boolean }>(sql`
    select ${isVisible(filters)} as passes
    from ragstone.sources s
    join ragstone.source_versions v on v.company_id = s.company_id and v.id = s.current_version_id
    where s.company_id = ${companyId} and s.id = ${id}`);
  return row?.passes ?? false;
}

/**
 * Both the served version `v` and the newest version of a source must pass the filters: narrower labels apply as soon as
 * they are accepted, even while the newest version is processing or after it failed.
 */
function isVisible(filters: EffectiveFilters): SQL {
  return sql`${matches(sql`v`, filters)} and (s.latest_version_id = v.id or exists (
    select from ragstone.source_versions newest
    where newest.company_id = s.company_id and newest.id = s.latest_version_id and ${matches(sql`newest`, filters)}))`;
}

function matches(version: SQL, { audience, sourceTypes, contentCategory, path }: EffectiveFilters): SQL {
  const conditions = [sql`true`];
  if (audience) conditions.push(sql`${version}.audience && ${textArray(audience)}`);
  if (sourceTypes) conditions.push(sql`${version}.source_type = any(${textArray(sourceTypes)})`);
  if (contentCategory) conditions.push(sql`${version}.content_category = any(${textArray(contentCategory)})`);
  if (path) conditions.push(sql`${version}.path[1:${path.length}::int] = ${textArray(path)}`);
  return sql.join(conditions, sql` and `);
}
