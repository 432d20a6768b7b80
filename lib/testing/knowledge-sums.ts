import { sql } from "drizzle-orm";
import { z } from "zod";
import type { TenantScope } from "../db/tenant.ts";

const sums = z.object({
  /** Sources whose newest version is served. */
  ready: z.number(),
  /** Chunks that are served, and their words, as the index counts them. */
  live: z.number(),
  words: z.number(),
  /** The words of the chunks of served versions, counted from the chunks themselves. */
  liveWords: z.number(),
  /** Chunks that are kept, whether they are served or not. */
  chunks: z.number(),
  /** Chunks of the served versions, as their sources count them. */
  places: z.number(),
  /** Chunks without a vector of the model that serves. */
  unembedded: z.number(),
  /** Jobs of ingestion that are not done. */
  unfinished: z.number(),
});

export type KnowledgeSums = z.infer<typeof sums>;

/** Sums over a company's knowledge that must not depend on how often ingestion was interrupted. */
export async function knowledgeSums(scope: TenantScope): Promise<KnowledgeSums> {
  const [row] = await scope.transaction((tx) =>
    tx.execute(sql`
      with served as (
        select s.deleted_at, p.chunk_id from ragstone.version_chunks p
        join ragstone.sources s on s.company_id = p.company_id and s.current_version_id = p.version_id
      )
      select (select count(*)::int from ragstone.sources where current_version_id = latest_version_id) as ready,
        (select coalesce(sum(live_count), 0)::int from ragstone.lexical_blocks) as live,
        (select coalesce(sum(word_total), 0)::int from ragstone.lexical_blocks) as words,
        (select coalesce(sum(word_length), 0)::int from ragstone.chunks
          where id in (select chunk_id from served where deleted_at is null)) as "liveWords",
        (select count(*)::int from ragstone.chunks) as chunks,
        (select count(*)::int from served) as places,
        (select count(*)::int from ragstone.chunks c where not exists (
          select from ragstone.embeddings e where e.company_id = c.company_id and e.ordinal = c.ordinal
            and e.model_id = (select embedding_model_id from ragstone.companies where id = c.company_id))) as unembedded,
        (select count(*)::int from ragstone.jobs where kind = 'ingest' and state <> 'done') as unfinished`),
  );
  return sums.parse(row);
}
