import { sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import type { lexicalBlocks } from "../db/schema/index.ts";
import { companyLiteral, intsLiteral } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { SLOTS_PER_BLOCK } from "./postings.ts";
import { type EffectiveFilters, filterCondition } from "./source-filters.ts";

const SLOTS = sql.raw(String(SLOTS_PER_BLOCK));
/** As the queries below name them. */
const TABLES = { source: sql`s`, version: sql`v` };

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
    where s.company_id = ${companyId} and s.deleted_at is null and ${filterCondition(companyId, TABLES, filters)}
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
    select ${filterCondition(companyId, TABLES, filters)} as passes
    from ragstone.sources s
    join ragstone.source_versions v on v.company_id = s.company_id and v.id = s.current_version_id
    where s.company_id = ${companyId} and s.id = ${id}`);
  return row?.passes ?? false;
}
