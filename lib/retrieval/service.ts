import { generateAnswer } from "../ai/answer.ts";
import { answerModel } from "../ai/models.ts";
import type { Adapter } from "../db/column-values.ts";
import type { KeyPolicy, RetrievalTrace } from "../db/stored-json.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { log } from "../log.ts";
import { type QueryRecord, recordQuery } from "../usage/record.ts";
import { applyPolicy } from "./apply-policy.ts";
import { type Hit, toResult } from "./hits.ts";
import type { Question } from "./question.ts";
import { type Ranking, rankChunks } from "./rank.ts";
import type { Degraded, RankContext } from "./rank-context.ts";
import type { RetrieveRequest, RetrieveResponse } from "./schema.ts";
import { inSearchTurn } from "./search-turns.ts";
import { stopwatch } from "./stopwatch.ts";

export interface RetrieveOptions {
  requestId: string;
  origin: "api" | "playground" | "cli";
  /** The adapter that took the request. */
  via?: Adapter;
  /** The policy of the key. Without one, all sources of the company are allowed. */
  policy?: KeyPolicy;
  apiKeyId?: string;
  userId?: string;
  /** The key whose policy applies to a playground run. */
  asKeyId?: string | null;
  signal?: AbortSignal;
}

export interface Retrieval {
  response: RetrieveResponse;
  /** Milliseconds by stage. */
  stages: Record<string, number>;
  degraded: Degraded[];
  question: Question;
  /** Context fields that were shortened to fit the prompt. */
  truncatedFields: string[];
  trace: RetrievalTrace;
}

/**
 * Finds what the company's knowledge says about a question, and optionally writes an answer from the results.
 * Stages: embed → candidates (vector ∪ lexical) → fuse → rerank → threshold and limit → answer.
 * @throws {AppError} Forbidden when the policy does not allow the requested answer
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

  const ranking = await rankChunks(
    scope,
    { ...request, filters, wanted: limit },
    { watch, degraded, signal: options.signal },
  );
  const passing = ranking.ranked.filter(({ score }) => score >= request.scoreThreshold);
  const shown = passing.slice(0, limit);
  const retrievalTimeMs = Math.round(performance.now() - started);

  const results = shown.map((hit) => toResult(scope.companyId, hit));
  const answer = await writeAnswer(scope.companyId, request, ranking.question, results, {
    watch,
    degraded,
    signal: options.signal,
  });
  const response: RetrieveResponse = {
    ...(answer && { aiGeneratedAnswer: answer.text }),
    results,
    total: results.length,
    retrievalTimeMs,
  };
  const retrieval: Retrieval = {
    response,
    stages: watch.stages,
    degraded,
    question: ranking.question,
    truncatedFields: answer?.truncatedFields ?? [],
    trace: { ...traceOf(ranking, passing.length, shown), starts: watch.starts },
  };
  if (degraded.length > 0) log().warn({ requestId: options.requestId, degraded }, "retrieval degraded");
  const durationMs = Math.round(performance.now() - started);
  recordRetrieval(scope.companyId, request, options, { ...retrieval, durationMs, answered: answer?.supported ?? null });
  return retrieval;
}

function traceOf(ranking: Ranking, aboveThreshold: number, shown: Hit[]): RetrievalTrace {
  const { live, eligible, candidates, hits, model } = ranking;
  const fused = new Map(hits.map(({ ordinal, score }, index) => [ordinal, { rank: index + 1, score }]));
  return {
    live,
    eligible,
    read: hits.length,
    vectorCandidates: candidates.filter(({ vectorRank }) => vectorRank !== null).length,
    lexicalCandidates: candidates.filter(({ lexicalRank }) => lexicalRank !== null).length,
    fused: candidates.length,
    aboveThreshold,
    results: shown.map(({ ordinal, chunk, alsoIn: _, ...parts }) => ({
      ...parts,
      id: chunk.id,
      fusedScore: fused.get(ordinal)?.score ?? parts.score,
      fusedRank: fused.get(ordinal)?.rank ?? 0,
    })),
    model,
  };
}

function recordRetrieval(
  companyId: CompanyId,
  request: RetrieveRequest,
  { requestId, origin, via, apiKeyId, userId, asKeyId }: RetrieveOptions,
  { response, trace, stages, degraded, durationMs, answered }: Retrieval & Pick<QueryRecord, "durationMs" | "answered">,
): void {
  recordQuery(companyId, {
    id: requestId,
    at: new Date(),
    origin,
    via: via ?? null,
    apiKeyId: apiKeyId ?? null,
    userId: userId ?? null,
    queryText: request.queryText,
    request: { ...settingsOf(request), ...(asKeyId && { asKeyId }) },
    results: response.results.map(({ id, score, payload: { sourceId, title } }) => ({ id, sourceId, title, score })),
    trace,
    stages,
    total: response.total,
    durationMs,
    statusCode: 200,
    degraded,
    answered,
  });
}

/** The settings that the log keeps. Context fields are never logged. */
function settingsOf({ filters, scoreThreshold, returnMode, limit, useRerank }: RetrieveRequest) {
  return { filters, scoreThreshold, returnMode, limit, useRerank };
}

async function writeAnswer(
  companyId: CompanyId,
  request: RetrieveRequest,
  question: Question,
  results: RetrieveResponse["results"],
  { watch, degraded, signal }: RankContext,
) {
  if (request.returnMode !== "ai_generated_answer") return null;
  const answerer = answerModel();
  const generate = () =>
    generateAnswer({
      ...answerer,
      question: question.text,
      language: question.language,
      results: results.map(({ score, payload }) => ({ ...payload, score })),
      context: request,
      signal,
    });
  // the local model takes processor time of this process
  const isLocal = answerer.fallback === null;
  const answer = await watch.time("answer", () => (isLocal ? inSearchTurn(companyId, signal, generate) : generate()));
  if (answer.degraded) degraded.push("generation");
  return { text: answer.answer, supported: answer.supported, truncatedFields: answer.truncatedFields };
}
