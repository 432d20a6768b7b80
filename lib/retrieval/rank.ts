import { isEmbedderLocal } from "../ai/models.ts";
import type { TenantScope } from "../db/tenant.ts";
import { embedByChosenModel, embedByServingModel } from "./embed.ts";
import { type Hit, readHits } from "./hits.ts";
import { servingModel } from "./queries.ts";
import { analyzeQuestion, type Question } from "./question.ts";
import type { RankContext } from "./rank-context.ts";
import { RERANKED, rerankHits } from "./rerank-hits.ts";
import { type Found, type SearchRequest, search } from "./search.ts";
import { inSearchTurn } from "./search-turns.ts";

/** The local model takes longer to embed a longer question than the first steps of a search take. */
const SHORT_QUESTION_CHARS = 200;

interface RankingRequest {
  queryText: string;
  filters: SearchRequest["filters"];
  useRerank: boolean;
  /** At least this many distinct chunks are read, if there are as many. */
  wanted: number;
}

export interface Ranking extends Found {
  question: Question;
  /** The distinct candidates that were read, in the order of their fused scores. */
  hits: Hit[];
  /** The hits in the order of their final scores. */
  ranked: Hit[];
  /** How many of the hits a reranker scored; null when none was asked for. */
  reranked: number | null;
  /** Name of the model that serves the company; null while it has none. */
  model: string | null;
}

/** Ranks chunks for a question: embed → candidates → fuse → read → rerank. */
export async function rankChunks(scope: TenantScope, request: RankingRequest, context: RankContext): Promise<Ranking> {
  const found = await inSearchTurn(scope.companyId, context.signal, () => findHits(scope, request, context));
  if (!request.useRerank) return { ...found, ranked: found.hits, reranked: null };
  const outcome = await context.watch.time("rerank", () => rerankHits(found, context));
  return { ...found, ...outcome };
}

async function findHits(
  scope: TenantScope,
  { queryText, filters, useRerank, wanted }: RankingRequest,
  { watch, degraded, signal }: RankContext,
): Promise<Omit<Ranking, "ranked" | "reranked">> {
  const { companyId } = scope;
  const origin = { companyId, signal };
  const question = await watch.time("embed", () => analyzeQuestion(queryText));
  const chosen = watch.time("embed", () => embedByChosenModel(question, origin));
  // a local model embeds a short question beside the first steps of the search; otherwise no transaction waits for it
  if (queryText.length > SHORT_QUESTION_CHARS || !(await isEmbedderLocal())) await chosen;
  return scope.snapshot(async (tx) => {
    const serving = await servingModel(tx, companyId);
    const embedding = embedByServingModel(question, serving, chosen, origin);
    // the search may fail before it waits for the embedding
    embedding.catch(() => undefined);
    const found = await search(tx, { companyId, question, filters }, embedding, watch);
    const count = useRerank ? Math.max(wanted, RERANKED) : wanted;
    const hits = await watch.time("hydrate", () => readHits(tx, companyId, found, count));
    if (!(await embedding) && (serving || !(await chosen))) degraded.push("embedding");
    return { ...found, question, hits, model: serving?.name ?? null };
  });
}
