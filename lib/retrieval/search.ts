import type { Language } from "../language/language.ts";
import type { EffectiveFilters } from "../search-index/source-filters.ts";
import { findCandidates, type QuestionVectors } from "./candidates.ts";
import { demoteOlder } from "./demote-older.ts";
import { type FusedCandidate, fuseCandidates, scoreWeights } from "./fuse.ts";
import type { IndexReader } from "./index-reader.ts";
import type { Question } from "./question.ts";
import type { Stopwatch } from "./stopwatch.ts";

export interface SearchRequest {
  question: Pick<Question, "text" | "words" | "language" | "fertility" | "english">;
  filters: EffectiveFilters | "nothing";
  /** The share of the vector score in the combined score; missing: by the language. */
  vectorWeight?: number | undefined;
}

export interface Found {
  /** Best first; equal scores by ordinal. */
  candidates: FusedCandidate[];
  /** A hash of each candidate's text, by ordinal. */
  texts: Map<number, number>;
  /** Number of the company's chunks. */
  live: number;
  /** Number of chunks that pass the filters. */
  eligible: number;
  /** The language of each block; null when it is unclear. */
  languages: ReadonlyMap<number, Language | null>;
}

/**
 * Finds and fuses the candidates of a question.
 */
export async function search(
  reader: IndexReader,
  { question, filters, vectorWeight }: SearchRequest,
  embeddings: QuestionVectors,
  watch: Stopwatch,
): Promise<Found> {
  if (filters === "nothing") return { candidates: [], texts: new Map(), live: 0, eligible: 0, languages: new Map() };
  const eligible = await watch.time("filter", () => reader.eligible(filters));
  const { candidates, scores, model, isGlossed } = await findCandidates(
    reader,
    { question, eligible },
    embeddings,
    watch,
  );
  const fused = watch.time("fuse", () => {
    const weights = scoreWeights(eligible.blocks, { model, question, isGlossed, fixed: vectorWeight });
    return fuseCandidates(candidates, scores, weights);
  });
  const ranked = await watch.time("fuse", () => demoteOlder(reader, question.text, fused));
  return {
    candidates: ranked,
    texts: candidates.texts,
    live: reader.sizes.live,
    eligible: eligible.count,
    languages: new Map(eligible.blocks.map(({ block, language }) => [block, language])),
  };
}
