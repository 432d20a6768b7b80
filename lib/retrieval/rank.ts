import type { QueryOrigin } from "../ai/embedder.ts";
import { type ServedState, servedState, servedStateWithin } from "../db/served-content.ts";
import type { TenantScope } from "../db/tenant.ts";
import type { QuestionVectors } from "./candidates.ts";
import { databaseReader } from "./database-reader.ts";
import { embedByChosenModel, embedByServingModel, type QuestionEmbedding } from "./embed.ts";
import { isBundledModel } from "./fuse.ts";
import type { IndexReader } from "./index-reader.ts";
import type { CompanyIndex } from "./memory/company-index.ts";
import { indexMemory } from "./memory/index-memory.ts";
import { ChangedWhileFiltering, ContentChanged, memoryReader } from "./memory/memory-reader.ts";
import { analyzeQuestion, type Question } from "./question.ts";
import type { RankContext } from "./rank-context.ts";
import { RERANKED, rerankChunks } from "./rerank-chunks.ts";
import { readScoredChunks, type ScoredChunk } from "./scored-chunks.ts";
import { type Found, type SearchRequest, search } from "./search.ts";
import { inSearchQueue } from "./search-queue.ts";
import type { Stopwatch } from "./stopwatch.ts";

interface RankingRequest {
  queryText: string;
  filters: SearchRequest["filters"];
  useRerank: boolean;
  /** Whether the question contains words of the chat. */
  isCompleted?: boolean;
  /** The share of the vector score in the combined score; missing: by the language. */
  vectorWeight?: number | undefined;
  /** At least this many distinct chunks are read, if there are as many. */
  wanted: number;
  /** What the company's searches return, when the caller has just read it. */
  content?: ServedState | undefined;
}

export interface Ranking extends Found {
  question: Question;
  /** The distinct candidates that were read, in the order of their combined scores. */
  chunks: ScoredChunk[];
  /** The chunks in the order of their final scores. */
  ranked: ScoredChunk[];
  /** How many of the chunks a reranker scored; null when none was asked for. */
  reranked: number | null;
  /** The model of their scores; null without one. */
  reranker: string | null;
  /** What answered the search. */
  index: "memory" | "database";
  /** Name of the model that serves the company; null while it has none. */
  model: string | null;
}

/** Ranks chunks for a question: embed → candidates → fuse → read → rerank. */
export async function rankChunks(scope: TenantScope, request: RankingRequest, context: RankContext): Promise<Ranking> {
  const found = await inSearchQueue(scope.companyId, context.signal, () => findChunks(scope, request, context));
  if (!request.useRerank) return { ...found, ranked: found.chunks, reranked: null, reranker: null };
  const outcome = await context.watch.time("rerank", () =>
    rerankChunks({ ...found, companyId: scope.companyId, isCompleted: request.isCompleted }, context),
  );
  return { ...found, ...outcome };
}

type FinalOrder = Pick<Ranking, "ranked" | "reranked" | "reranker">;
type FoundChunks = Omit<Ranking, keyof FinalOrder | "index">;

/** How often a search in memory restarts because the company's content changed during the search. */
const MEMORY_ATTEMPTS = 3;

async function findChunks(
  scope: TenantScope,
  { queryText, filters, useRerank, vectorWeight, wanted, content: known }: RankingRequest,
  { watch, degraded, signal }: RankContext,
): Promise<Omit<Ranking, keyof FinalOrder>> {
  const question = await watch.time("embed", () => analyzeQuestion(queryText));
  const embed = embeddingByModel(question, { companyId: scope.companyId, signal }, watch);
  async function readFrom(reader: IndexReader, { model }: ServedState): Promise<FoundChunks> {
    const found = await search(reader, { question, filters, vectorWeight }, embed.vectorsFor(model), watch);
    const count = useRerank ? Math.max(wanted, RERANKED) : wanted;
    const chunks = await watch.time("hydrate", () => readScoredChunks(reader, found, count));
    return { ...found, question, chunks, model: model?.name ?? null };
  }

  for (let attempt = 1, content = known; ; attempt++, content = undefined) {
    content ??= await watch.time("blocks", () => servedState(scope));
    const current = content;
    const embedding = embed.embeddingFor(current.model);
    const index =
      attempt <= MEMORY_ATTEMPTS ? await watch.time("blocks", () => indexMemory().indexOf(scope, current)) : null;
    const found = index
      ? await findInMemory(scope, index, (reader) => readFrom(reader, current))
      : await findInDatabase(
          scope,
          current,
          (reader) => readFrom(reader, current),
          embed.vectorsFor(current.model),
          watch,
        );
    // the database filters in the snapshot that it searches
    if (found instanceof ChangedWhileFiltering) attempt = MEMORY_ATTEMPTS;
    if (!found || found instanceof ContentChanged) continue;
    if (!(await embedding) && (current.model || !(await embed.chosen))) degraded.push("embedding");
    return { ...found, index: index ? "memory" : "database" };
  }
}

/** Returns `ContentChanged` when the company's content changed during the search. */
async function findInMemory(
  scope: TenantScope,
  index: CompanyIndex,
  read: (reader: IndexReader) => Promise<FoundChunks>,
): Promise<FoundChunks | ContentChanged> {
  try {
    const reader = memoryReader(scope, index);
    const found = await read(reader);
    reader.requireUnchanged();
    return found;
  } catch (error) {
    if (error instanceof ContentChanged) return error;
    throw error;
  }
}

/** Null when the company's model changed during the search. */
async function findInDatabase(
  scope: TenantScope,
  { model }: ServedState,
  read: (reader: IndexReader) => Promise<FoundChunks>,
  { own, english }: QuestionVectors,
  watch: Stopwatch,
): Promise<FoundChunks | null> {
  // no connection is held during these calls
  await Promise.all([own, english?.()]);
  return scope.snapshot(async (tx) => {
    // both are sent together
    const [served, reader] = await watch.time("blocks", () =>
      Promise.all([servedStateWithin(tx, scope.companyId), databaseReader(tx, scope.companyId)]),
    );
    return served.model?.id === model?.id ? read(reader) : null;
  });
}

/** Embeds the question immediately by the chosen model, and once for each model that turns out to serve the company. */
function embeddingByModel(question: Question, origin: QueryOrigin, watch: Stopwatch) {
  const chosen = watch.time("embed", () => embedByChosenModel(question, origin));
  // the search may fail before it waits for the embedding
  chosen.catch(() => undefined);
  const embeddings = new Map<number | undefined, Promise<QuestionEmbedding | null>>();
  let english: Promise<QuestionEmbedding | null> | undefined;
  return {
    chosen,
    vectorsFor(model: ServedState["model"]): QuestionVectors {
      const gloss = question.english;
      return {
        own: this.embeddingFor(model),
        english:
          gloss && model && isBundledModel(model.name)
            ? () => {
                const glossed = { ...question, text: gloss.text, language: "en" as const };
                english ??= chosen.then((own) => {
                  // a provider's vector of the gloss could not be compared while the bundled model still serves
                  const isServing = own?.modelId === model.name;
                  const embedded = isServing ? embedByChosenModel(glossed, origin) : Promise.resolve(null);
                  return embedByServingModel(glossed, model, embedded, origin);
                });
                return english;
              }
            : null,
      };
    },
    embeddingFor(model: ServedState["model"]): Promise<QuestionEmbedding | null> {
      const embedding = embeddings.get(model?.id) ?? embedByServingModel(question, model, chosen, origin);
      embeddings.set(model?.id, embedding);
      embedding.catch(() => undefined);
      return embedding;
    },
  };
}
