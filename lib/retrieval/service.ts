import { generateAnswer } from "../ai/answer.ts";
import { answerModel, embedder, remoteReranker, tokenizer } from "../ai/models.ts";
import { applyPolicy, type KeyPolicy } from "../api-keys/policy.ts";
import type { Transaction } from "../db/client.ts";
import type { TenantScope } from "../db/tenant.ts";
import { log } from "../log.ts";
import { recordQuery } from "../usage/record.ts";
import { condenseQuery } from "./condense.ts";
import { readChunks, servingModel } from "./queries.ts";
import { rerank } from "./rerank.ts";
import { type Hit, inOrder, toResult, withoutRepeats } from "./results.ts";
import type { RetrieveRequest, RetrieveResponse } from "./schema.ts";
import { type Candidate, search } from "./search.ts";
import { type Stopwatch, stopwatch } from "./stopwatch.ts";

/** How many of the fused candidates a reranker reads. */
export const RERANKED = 50;

/** What went on without: named in a header and in the log. */
export type Degraded = "embedding" | "generation" | "rerank";

export interface RetrieveOptions {
  requestId: string;
  origin: "api" | "playground" | "cli";
  /** What the key may reach; absent: everything of the company. */
  policy?: KeyPolicy;
  apiKeyId?: string;
  userId?: string;
  signal?: AbortSignal;
}

export interface Retrieval {
  response: RetrieveResponse;
  /** Milliseconds by stage. */
  stages: Record<string, number>;
  degraded: Degraded[];
  /** Context fields that the prompt could not hold whole. */
  truncatedFields: string[];
  trace: RetrievalTrace;
}

/** How each result came to its place, and how many candidates each stage had. */
export interface RetrievalTrace {
  vectorCandidates: number;
  lexicalCandidates: number;
  fused: number;
  aboveThreshold: number;
  results: (Omit<Candidate, "ordinal"> & { id: string; fusedScore: number; fusedRank: number })[];
  model: string | null;
}

/**
 * Answers "what does this company's knowledge base say about this?".
 * The way of a query: embed → candidates (vector ∪ lexical) → fuse → rerank → threshold, limit → answer.
 * @throws {AppError} Forbidden when the policy does not allow the answer that is asked for
 */
export async function retrieve(
  scope: TenantScope,
  request: RetrieveRequest,
  options: RetrieveOptions,
): Promise<Retrieval> {
  const { filters, limit } = applyPolicy(options.policy ?? {}, request);
  const watch = stopwatch();
  const degraded: Degraded[] = [];
  const started = performance.now();

  const question = await watch.time("embed", () => embedQuestion(request.queryText, degraded, options.signal));
  const { candidates, hits, model } = await scope.snapshot(async (tx) => {
    const serving = await servingModel(tx, scope.companyId);
    const embedded = embeddedFor(question, serving, degraded);
    const found = await search(
      tx,
      {
        companyId: scope.companyId,
        queryText: request.queryText,
        queryFertility: question.fertility,
        embedded,
        filters,
      },
      watch,
    );
    const wanted = request.useRerank ? Math.max(limit, RERANKED) : limit;
    const read = await watch.time("hydrate", () => hydrate(tx, scope, found, wanted));
    return { candidates: found, hits: read, model: serving?.name ?? null };
  });
  const fusedRank = new Map(hits.map(({ ordinal, score }, index) => [ordinal, { rank: index + 1, score }]));
  const ranked = request.useRerank
    ? await watch.time("rerank", () => reranked(request, hits, degraded, options.signal))
    : hits;
  const passing = ranked.filter(({ score }) => score >= request.scoreThreshold);
  const shown = passing.slice(0, limit);
  const retrievalTimeMs = Math.round(performance.now() - started);

  const results = shown.map((hit) => toResult(scope.companyId, hit));
  const answer = await answered(request, results, watch, degraded, options.signal);
  const trace: RetrievalTrace = {
    vectorCandidates: candidates.filter(({ vectorRank }) => vectorRank !== null).length,
    lexicalCandidates: candidates.filter(({ lexicalRank }) => lexicalRank !== null).length,
    fused: candidates.length,
    aboveThreshold: passing.length,
    results: shown.map(({ ordinal, chunk, alsoIn: _, ...parts }) => ({
      ...parts,
      id: chunk.id,
      fusedScore: fusedRank.get(ordinal)?.score ?? parts.score,
      fusedRank: fusedRank.get(ordinal)?.rank ?? 0,
    })),
    model,
  };
  const response: RetrieveResponse = {
    ...(answer && { aiGeneratedAnswer: answer.text }),
    results,
    total: results.length,
    retrievalTimeMs,
  };
  if (degraded.length > 0) log().warn({ requestId: options.requestId, degraded }, "retrieval degraded");
  const total = performance.now() - started;
  recordQuery(scope.companyId, {
    id: options.requestId,
    at: new Date(),
    origin: options.origin,
    apiKeyId: options.apiKeyId ?? null,
    userId: options.userId ?? null,
    queryText: request.queryText,
    request: settingsOf(request),
    results: results.map(({ id, score, payload }) => ({ id, sourceId: payload.sourceId, title: payload.title, score })),
    trace: { ...trace },
    stages: watch.stages,
    total: results.length,
    durationMs: Math.round(total),
    statusCode: 200,
    degraded,
    answered: answer?.supported ?? null,
  });
  return { response, stages: watch.stages, degraded, truncatedFields: answer?.truncatedFields ?? [], trace };
}

/** What the log keeps of a request besides its text: no context field is among these. */
function settingsOf({ filters, scoreThreshold, returnMode, limit, useRerank }: RetrieveRequest) {
  return { filters, scoreThreshold, returnMode, limit, useRerank };
}

interface Question {
  vector: Float32Array | null;
  model: string | null;
  /** Wordpieces per word. */
  fertility: number;
}

async function embedQuestion(queryText: string, degraded: Degraded[], signal?: AbortSignal): Promise<Question> {
  const measure = await tokenizer();
  const { pieces, words } = measure.fertility(queryText);
  const fertility = words > 0 ? pieces / words : 1;
  try {
    const model = await embedder();
    const text = condenseQuery(queryText, { maxTokens: model.windowTokens - 2, countTokens: measure.count });
    return { vector: await model.embedQuery(text, signal), model: model.modelId, fertility };
  } catch (error) {
    signal?.throwIfAborted();
    log().warn({ err: error }, "the embedding model is away");
    degraded.push("embedding");
    return { vector: null, model: null, fertility };
  }
}

/** Vectors of two models cannot be compared: while a company still serves another one's, words alone decide. */
function embeddedFor(
  { vector, model }: Question,
  serving: Awaited<ReturnType<typeof servingModel>>,
  degraded: Degraded[],
) {
  if (!vector || !serving) return null;
  if (serving.name === model) return { vector, model: serving };
  degraded.push("embedding");
  return null;
}

/** Reads candidates from the best on until `wanted` distinct ones are there, those that tie with the last included. */
async function hydrate(
  tx: Transaction,
  { companyId }: TenantScope,
  candidates: Candidate[],
  wanted: number,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  let distinct: Hit[] = [];
  for (let start = 0; start < candidates.length && distinct.length <= wanted; ) {
    const page = candidates.slice(start, start + wanted + 1);
    start += page.length;
    const rows = await readChunks(tx, { companyId, ordinals: page.map(({ ordinal }) => ordinal) });
    const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
    for (const candidate of page) {
      const chunk = byOrdinal.get(candidate.ordinal);
      if (chunk) hits.push({ ...candidate, chunk, alsoIn: [] });
    }
    distinct = withoutRepeats(hits.sort(inOrder).map((hit) => ({ ...hit, alsoIn: [] })));
  }
  return distinct;
}

async function reranked(
  request: RetrieveRequest,
  hits: Hit[],
  degraded: Degraded[],
  signal?: AbortSignal,
): Promise<Hit[]> {
  const head = hits.slice(0, RERANKED);
  const remote = remoteReranker();
  const documents = head.map(({ chunk }) => ({ title: chunk.title, content: chunk.content }));
  try {
    const scores = remote
      ? await remote.score(
          request.queryText,
          documents.map(({ title, content }) => `${title}\n${content}`),
          signal,
        )
      : rerank(
          request.queryText,
          head.map(({ score, chunk }) => ({ score, title: chunk.title, content: chunk.content })),
        );
    const ordered = head.map((hit, index) => ({ ...hit, score: scores[index] ?? 0 })).sort(inOrder);
    const floor = ordered.at(-1)?.score ?? 0;
    return [...ordered, ...hits.slice(RERANKED).map((hit) => ({ ...hit, score: Math.min(hit.score, floor) }))];
  } catch (error) {
    signal?.throwIfAborted();
    log().warn({ err: error }, "the reranker is away");
    degraded.push("rerank");
    return hits;
  }
}

async function answered(
  request: RetrieveRequest,
  results: RetrieveResponse["results"],
  watch: Stopwatch,
  degraded: Degraded[],
  signal?: AbortSignal,
) {
  if (request.returnMode !== "ai_generated_answer") return null;
  const answer = await watch.time("answer", () =>
    generateAnswer({
      ...answerModel(),
      question: request.queryText,
      results: results.map(({ score, payload }) => ({ ...payload, score })),
      context: request,
      signal,
    }),
  );
  if (answer.degraded) degraded.push("generation");
  return { text: answer.answer, supported: answer.supported, truncatedFields: answer.truncatedFields };
}
