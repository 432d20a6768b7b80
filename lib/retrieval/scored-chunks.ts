import type { LoggedResult } from "../db/stored-json.ts";
import type { CompanyId } from "../db/tenant.ts";
import { dayOf } from "../durations.ts";
import { memoizeByObject } from "../memoize-by-object.ts";
import { sha256 } from "../sha256.ts";
import type { FusedCandidate } from "./fuse.ts";
import type { IndexReader } from "./index-reader.ts";
import type { ChunkRow } from "./queries.ts";
import type { RetrieveResult } from "./schema.ts";
import type { Found } from "./search.ts";

/** A candidate with the chunk that the result shows. */
export interface ScoredChunk extends FusedCandidate {
  chunk: ChunkRow;
  /** Other sources that hold the same text for the same audiences. */
  alsoIn: string[];
}

/** Best first. Ties are sorted by source, then by position, so that every installation returns the same order. */
export function compareChunks(a: ScoredChunk, b: ScoredChunk): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.chunk.sourceId !== b.chunk.sourceId) return a.chunk.sourceId < b.chunk.sourceId ? -1 : 1;
  return a.chunk.position - b.chunk.position;
}

/**
 * Reads the chunks of the best candidates: `wanted` distinct texts and one more, those that tie with the last, and every
 * other candidate with one of these texts, so that `alsoIn` does not depend on `wanted`.
 */
export async function readScoredChunks(
  reader: Pick<IndexReader, "chunks">,
  { candidates, texts }: Pick<Found, "candidates" | "texts">,
  wanted: number,
): Promise<ScoredChunk[]> {
  const best = new Set<number | undefined>();
  for (const [index, { ordinal, score }] of candidates.entries()) {
    if (best.size > wanted && score !== candidates[index - 1]?.score) break;
    best.add(texts.get(ordinal));
  }
  const read = candidates.filter(({ ordinal }) => best.has(texts.get(ordinal)));
  const rows = await reader.chunks(read.map(({ ordinal }) => ordinal));
  const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
  const chunks = read.flatMap((candidate): ScoredChunk[] => {
    const chunk = byOrdinal.get(candidate.ordinal);
    return chunk ? [{ ...candidate, chunk, alsoIn: [] }] : [];
  });
  // a verified copy may rank behind other chunks with its score
  return withoutRepeats(chunks.sort(compareChunks)).sort(compareChunks);
}

/** Whether the answer of the chunk is verified today. */
export function isVerified({ verified }: Pick<ChunkRow, "verified">): boolean {
  if (!verified) return false;
  return verified.until === null || verified.until >= dayOf(new Date());
}

const contentHash = memoizeByObject(({ content }: ChunkRow) => sha256(content));
const repeatKey = memoizeByObject((chunk: ChunkRow) => JSON.stringify([contentHash(chunk), chunk.audience.toSorted()]));

/**
 * Keeps the best of the chunks with identical text and audiences, and lists the other sources in its `alsoIn`. Of equal
 * scores, a verified answer is the best.
 */
function withoutRepeats(chunks: ScoredChunk[]): ScoredChunk[] {
  return [...Map.groupBy(chunks, ({ chunk }) => repeatKey(chunk)).values()].flatMap((repeats) => {
    const [first] = repeats;
    const best = repeats.find(({ score, chunk }) => score === first?.score && isVerified(chunk)) ?? first;
    if (!best) return [];
    const sources = new Set(repeats.map(({ chunk }) => chunk.sourceId));
    sources.delete(best.chunk.sourceId);
    return [{ ...best, alsoIn: [...sources] }];
  });
}

/** The result in the shape of the API contract. */
export function toResult(companyId: CompanyId, { score, chunk, alsoIn, outdated }: ScoredChunk): RetrieveResult {
  const { audience, contentCategory, content, sourceType, sourceId, title, path, headings, page, fileName } = chunk;
  return {
    id: chunk.id,
    score,
    payload: {
      companyId,
      audience,
      contentCategory,
      content,
      sourceType,
      sourceId,
      title,
      path,
      metadata: {
        ...chunk.metadata,
        ...(fileName && { fileName }),
        ...(page !== null && { page }),
        ...(headings.length > 0 && { headings }),
        ...(alsoIn.length > 0 && { alsoIn }),
        ...(outdated && { outdated }),
      },
    },
  };
}

/** The result as the log keeps it: where the chunk was, and a hash of its text. */
export function toLoggedResult({ score, chunk }: ScoredChunk): LoggedResult {
  const { id, sourceId, title, headings, page, position } = chunk;
  return {
    ...{ id, sourceId, title, score, position },
    ...(headings.length > 0 && { headings }),
    ...(page !== null && { page }),
    sha256: contentHash(chunk),
  };
}
