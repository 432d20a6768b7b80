import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { log } from "../../log.ts";
import { connection } from "../client.ts";
import type { CompanyId } from "../tenant.ts";

/** The tables that are joined within a company, and the columns that join them. */
const JOINED = {
  sources: ["company_id", "id"],
  source_versions: ["company_id", "id", "source_id"],
  chunks: ["company_id", "id", "source_id"],
  version_chunks: ["company_id", "version_id", "chunk_id"],
};
/** Below this size of a company, the worst plan is fast enough. */
const CHUNKS_MIN = 256;
const GROWTH = 4;

/** The largest step that this process has analysed, so that a company that shrinks and grows is not analysed again. */
const analyzed = new LRUCache<CompanyId, number>({ max: 10_000 });

/**
 * Refreshes the planner's statistics of a company's rows when the company has reached a new size. PostgreSQL assumes one
 * row for a company that it has no statistics for, and may then compare every row of a table with every row of another.
 * This also slows the checks of foreign keys. By itself, a server analyses again only after a tenth of all companies' rows has
 * changed; the embedded database checks this once a minute. An error is logged, because the rows are written already.
 * @param size the company's slots in use before and after a change; a change by another worker may be missing
 */
export async function analyzeGrownCompany(
  companyId: CompanyId,
  size: { before: number; after: number },
): Promise<void> {
  const step = stepOf(size.after);
  if (step <= Math.max(stepOf(size.before), analyzed.get(companyId) ?? 0)) return;
  analyzed.set(companyId, step);
  try {
    for (const [table, columns] of Object.entries(JOINED)) {
      await connection().db.execute(sql.raw(`analyze (skip_locked) ragstone.${table} (${columns.join(", ")})`));
    }
  } catch (error) {
    log().warn({ err: error }, "the planner's statistics were not refreshed");
  }
}

function stepOf(chunks: number): number {
  return chunks < CHUNKS_MIN ? 0 : 1 + Math.floor(Math.log(chunks / CHUNKS_MIN) / Math.log(GROWTH));
}
