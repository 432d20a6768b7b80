import { embedFor, rerankModel } from "../ai/models.ts";
import type { Reranker } from "../ai/reranker.ts";
import type { CompanyId } from "../db/tenant.ts";
import { log } from "../log.ts";
import { addBestWindows } from "./best-window.ts";
import { OLDER_FACTOR } from "./demote-older.ts";
import { isBundledModel } from "./fuse.ts";
import type { Question } from "./question.ts";
import type { Degraded, RankContext } from "./rank-context.ts";
import { rerank } from "./rerank.ts";
import { compareChunks, type ScoredChunk } from "./scored-chunks.ts";

/** How many of the chunks a reranker scores. */
export const RERANKED = 50;

/** In milliseconds: what an embedding that failed and the reranking after it may take together. */
const SEARCH_MS = 1_100;
const RERANK_MS_MIN = 100;
/** Chunks that the reranker did not score need scores below those that it did. */
const SCORE_MIN = 1e-9;

interface Rankable {
  companyId: CompanyId;
  question: Question;
  /** In the order of their combined scores. */
  chunks: ScoredChunk[];
  /** Name of the model that gave the cosines. */
  model: string | null;
  /** Whether the question contains words of the chat, which are sent to no provider of a reranker. */
  isCompleted?: boolean | undefined;
}

interface Reranked {
  ranked: ScoredChunk[];
  /** How many of the chunks got a score: fewer than `RERANKED` when a local model is slow. */
  reranked: number;
  /** The model of these scores; null without one. */
  reranker: string | null;
}

/** Reranks the first chunks, by the rerank model if there is one that may get the question. Returns all unchanged when it is unavailable. */
export async function rerankChunks(
  { chunks, ...rankable }: Rankable,
  { watch, degraded, signal }: RankContext,
): Promise<Reranked> {
  const head = chunks.slice(0, RERANKED);
  const timeLimit = rerankTimeLimit(degraded, watch.stages.embed);
  const limits = [signal ?? [], timeLimit === undefined ? [] : AbortSignal.timeout(timeLimit)].flat();
  try {
    const chosen = rerankModel();
    const reranker = chosen?.isRemote && rankable.isCompleted ? null : chosen;
    const scores = await rerankScores(reranker, { ...rankable, chunks: head }, AbortSignal.any(limits));
    const scored = scores.flatMap((score, index) => {
      const chunk = head[index];
      if (!chunk) return [];
      // a model knows nothing of versions; the built-in reranker starts from scores that do
      const judged = reranker && chunk.outdated ? score * OLDER_FACTOR : score;
      return { ...chunk, score: Math.max(judged, SCORE_MIN) };
    });
    const rest = below(Math.min(...scored.map(({ score }) => score)), chunks.slice(scores.length));
    const ranked = [...scored, ...rest].sort(compareChunks);
    return { ranked, reranked: scores.length, reranker: reranker?.modelId ?? null };
  } catch (error) {
    signal?.throwIfAborted();
    log().warn({ err: error }, "the reranker is unavailable");
    degraded.push("rerank");
    return { ranked: chunks, reranked: 0, reranker: null };
  }
}

/**
 * How long a reranker may take when the embedding failed, in milliseconds: providers that are silent together would
 * otherwise delay the results twice. Undefined without a limit beyond the reranker's own.
 */
export function rerankTimeLimit(degraded: readonly Degraded[], embedMs = 0): number | undefined {
  if (!degraded.includes("embedding")) return undefined;
  return Math.max(RERANK_MS_MIN, Math.ceil(SEARCH_MS - embedMs));
}

async function rerankScores(
  reranker: Reranker | null,
  { companyId, question, chunks, model }: Rankable,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  if (reranker) {
    const documents = chunks.map(({ chunk }) => `${chunk.title}\n${chunk.content}`);
    return reranker.score(question.text, documents, signal);
  }
  const candidates = chunks.map(({ score, chunk }) => ({ score, content: chunk.content }));
  const scores = rerank(question, candidates);
  if (!model || !isBundledModel(model)) return scores;
  return addBestWindows(question, chunks, scores, { embed: embedFor(companyId), signal });
}

/**
 * Scales the chunks that the reranker did not score, so that they stay behind those that it did: below their lowest
 * score, because the order of equal scores does not depend on the reranker.
 */
function below(floor: number, rest: ScoredChunk[]): ScoredChunk[] {
  const max = floor * (1 - Number.EPSILON);
  const scale = Math.min(1, floor / (rest[0]?.score || 1));
  // a product may be rounded up
  return rest.map((scored) => ({ ...scored, score: Math.min(max, scored.score * scale) }));
}
