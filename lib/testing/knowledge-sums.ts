import { sql } from "drizzle-orm";
import type { TenantScope } from "../db/tenant.ts";

/** Sums over a company's knowledge that must not depend on how often ingestion was interrupted. */
export async function knowledgeSums(scope: TenantScope) {
  return scope.transaction(async (tx) => {
    const [sums] = await tx.execute(sql`
      select (select count(*)::int from ragstone.sources where current_version_id = latest_version_id) as ready,
        (select sum(live_count)::int from ragstone.lexical_blocks) as live,
        (select sum(word_total)::int from ragstone.lexical_blocks) as words,
        (select count(*)::int from ragstone.chunks) as chunks,
        (select count(*)::int from ragstone.version_chunks) as places,
        (select count(*)::int from ragstone.chunks c where not exists (
          select from ragstone.embeddings e where e.company_id = c.company_id and e.ordinal = c.ordinal)) as unembedded,
        (select count(*)::int from ragstone.jobs where kind = 'ingest' and state <> 'done') as unfinished`);
    return sums;
  });
}
