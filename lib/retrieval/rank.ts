import { type ServedContent, servedContent } from "../db/served-content.ts";
import type { TenantScope } from "../db/tenant.ts";
import { databaseReader } from "./database-reader.ts";
import { embedByChosenModel, embedByServingModel, type QuestionEmbedding } from "./embed.ts";
import { type Hit, readHits } from "./hits.ts";
import type { IndexReader } from "./index-reader.ts";
import { servingModel } from "./queries.ts";
import { analyzeQuestion, type Question } from "./question.ts";
import type { RankContext } from "./rank-context.ts";
import { RERANKED, rerankHits } from "./rerank-hits.ts";
import { type Found, type SearchRequest, search } from "./search.ts";
import { inSearchTurn } from "./search-turns.ts";

interface RankingRequest {
  queryText: string;
  filters: SearchRequest["filters"];
  useRerank: boolean;
  /** At least this many distinct chunks are read, if there are as many. */
  wanted: number;
  /** What the company's searches return, when the caller has just read it. */
  content?: ServedContent | undefined;
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

type FoundHits = Omit<Ranking, "ranked" | "reranked">;

async function findHits(
  scope: TenantScope,
  { queryText, filters, useRerank, wanted, content: known }: RankingRequest,
  { watch, degraded, signal }: RankContext,
): Promise<FoundHits> {
  const origin = { companyId: scope.companyId, signal };
  const question = await watch.time("embed", () => analyzeQuestion(queryText));
  const chosen = watch.time("embed", () => embedByChosenModel(question, origin));
  const embeddings = new Map<number | undefined, Promise<QuestionEmbedding | null>>();
  function embeddingBy(model: ServedContent["model"]) {
    const embedding = embeddings.get(model?.id) ?? embedByServingModel(question, model, chosen, origin);
    embeddings.set(model?.id, embedding);
    // the search may fail before it waits for the embedding
    embedding.catch(() => undefined);
    return embedding;
  }
  async function readFrom(reader: IndexReader, { model }: ServedContent): Promise<FoundHits> {
    const embedding = embeddingBy(model);
    const found = await search(reader, { question, filters }, embedding, watch);
    const count = useRerank ? Math.max(wanted, RERANKED) : wanted;
    const hits = await watch.time("hydrate", () => readHits(reader, found, count));
    if (!(await embedding) && (model || !(await chosen))) degraded.push("embedding");
    return { ...found, question, hits, model: model?.name ?? null };
  }

  // a failed read of the content must not leave the embedding without a handler
  chosen.catch(() => undefined);
  for (let content = known; ; content = undefined) {
    content ??= await watch.time("blocks", () => servedContent(scope));
    const { model } = content;
    const served = content;
    // no connection is held meanwhile
    await embeddingBy(model);
    const found = await scope.snapshot(async (tx) => {
      if ((await servingModel(tx, scope.companyId))?.id !== model?.id) return null;
      const reader = await watch.time("blocks", () => databaseReader(tx, scope.companyId));
      return readFrom(reader, served);
    });
    if (found) return found;
  }
}
