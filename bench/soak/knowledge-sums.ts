import { sql } from "drizzle-orm";
import { z } from "zod";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { retrieveResponse } from "../../lib/retrieval/schema.ts";

const knowledge = z.object({
  /** Sources whose newest version is served. */
  ready: z.number(),
  /** Chunks that are served, and their words, as the index counts them. */
  live: z.number().nullable(),
  words: z.number().nullable(),
  /** Chunks of the served versions, as their sources count them. */
  places: z.number(),
  /** Chunks without a vector. */
  unembedded: z.number(),
  /** Jobs of ingestion that are not done. */
  unfinished: z.number(),
});

export type Knowledge = z.infer<typeof knowledge>;

/** What must be the same however often the work was interrupted. */
export async function knowledgeOf(scope: TenantScope): Promise<Knowledge> {
  const [sums] = await scope.transaction((tx) =>
    tx.execute(sql`
      select (select count(*)::int from ragstone.sources where current_version_id = latest_version_id) as ready,
        (select sum(live_count)::int from ragstone.lexical_blocks) as live,
        (select sum(word_total)::int from ragstone.lexical_blocks) as words,
        (select count(*)::int from ragstone.version_chunks p
          join ragstone.sources s on s.company_id = p.company_id and s.current_version_id = p.version_id) as places,
        (select count(*)::int from ragstone.chunks c where not exists (
          select from ragstone.embeddings e where e.company_id = c.company_id and e.ordinal = c.ordinal)) as unembedded,
        (select count(*)::int from ragstone.jobs where kind = 'ingest' and state <> 'done') as unfinished`),
  );
  return knowledge.parse(sums);
}

export async function unfinishedJobs(scope: TenantScope): Promise<number> {
  return (await knowledgeOf(scope)).unfinished;
}

/** What two companies with the same knowledge must answer alike. */
export function resultsOf(body: unknown) {
  return retrieveResponse
    .parse(body)
    .results.map(({ score, payload: { sourceId, content } }) => ({ score, sourceId, content }));
}
