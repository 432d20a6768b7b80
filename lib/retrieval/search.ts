import type { Transaction } from "../db/client.ts";
import type { CompanyId } from "../db/tenant.ts";
import { eligibleChunks } from "../search-index/eligible.ts";
import { readBlocks } from "../search-index/read-index.ts";
import type { EffectiveFilters } from "../search-index/source-filters.ts";
import { findCandidates } from "./candidates.ts";
import { demoteOlder } from "./demote-older.ts";
import type { QuestionEmbedding } from "./embed.ts";
import { type FusedCandidate, fuseCandidates, fusionWeights } from "./fuse.ts";
import type { Question } from "./question.ts";
import type { Stopwatch } from "./stopwatch.ts";
import { sizesOf } from "./vector-search.ts";

export interface SearchRequest {
  companyId: CompanyId;
  question: Pick<Question, "text" | "words" | "fertility">;
  filters: EffectiveFilters | "nothing";
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
}

/**
 * Finds and fuses the candidates of a question.
 * @param embedding null: keywords alone decide
 */
export async function search(
  tx: Transaction,
  { companyId, question, filters }: SearchRequest,
  embedding: Promise<QuestionEmbedding | null>,
  watch: Stopwatch,
): Promise<Found> {
  if (filters === "nothing") return { candidates: [], texts: new Map(), live: 0, eligible: 0 };
  const rows = await watch.time("blocks", () => readBlocks(tx, companyId));
  const eligible = await watch.time("filter", () => eligibleChunks(tx, { companyId, filters, rows }));
  const sizes = sizesOf(rows);
  const { candidates, scores, model } = await findCandidates(
    tx,
    { companyId, words: question.words, eligible, ...sizes },
    embedding,
    watch,
  );
  const fused = watch.time("fuse", () => {
    const weights = fusionWeights(eligible.blocks, { model, queryFertility: question.fertility });
    return fuseCandidates(candidates, scores, weights);
  });
  const ranked = await watch.time("fuse", () => demoteOlder(tx, { companyId, question: question.text }, fused));
  return { candidates: ranked, texts: candidates.texts, live: sizes.live, eligible: eligible.count };
}
