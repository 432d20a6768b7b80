import type { AnswerPart } from "../ai/check-sentences.ts";
import type { KeyActor } from "../audit/record.ts";
import type { Adapter } from "../db/column-values.ts";
import { type ServedContent, servedContent } from "../db/served-content.ts";
import type { KeyPolicy, RetrievalSettings, RetrievalTrace } from "../db/stored-json.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { log } from "../log.ts";
import { returnValueOf } from "../return-value-of.ts";
import { blockOf } from "../search-index/postings.ts";
import { recordQuery } from "../usage/record.ts";
import { applyPolicy } from "./apply-policy.ts";
import { calibrateScores } from "./calibrate-scores.ts";
import { type CompleteRequest, withSettings } from "./company-settings.ts";
import { writtenFilters } from "./logged-settings.ts";
import type { Question } from "./question.ts";
import { type Ranking, rankChunks } from "./rank.ts";
import type { Degraded } from "./rank-context.ts";
import type { RetrieveRequest, RetrieveResponse } from "./schema.ts";
import { type ScoredChunk, toLoggedResult, toResult } from "./scored-chunks.ts";
import { queueRefusal } from "./search-queue.ts";
import { searchedText } from "./searched-text.ts";
import { stopwatch } from "./stopwatch.ts";
import { closestVerified } from "./verified-answer.ts";
import { writeAnswer } from "./write-answer.ts";

export interface RetrieveOptions {
  requestId: string;
  /** Runs of test questions are not logged, so they never count as requests. */
  origin: "api" | "playground" | "cli" | "test";
  /** The adapter that took the request. */
  via?: Adapter;
  /** The policy of the key. Without one, all sources of the company are allowed. */
  policy?: KeyPolicy;
  apiKeyId?: string;
  userId?: string;
  /** What the company's searches return; read again when it is missing or has changed. */
  content?: ServedContent | undefined;
  /** Replaces the settings of the company, to try others. */
  settings?: RetrievalSettings;
  /** The key whose policy applies to a playground run. */
  asKeyId?: string | null;
  signal?: AbortSignal;
}

/** The options of a retrieval that a request with this key makes. */
export function retrievalOptions(
  { id, policy, content }: Pick<KeyActor, "id" | "policy"> & Pick<RetrieveOptions, "content">,
  { requestId, signal, via }: Pick<RetrieveOptions, "requestId" | "signal" | "via">,
): RetrieveOptions {
  return { requestId, signal, via, origin: "api", apiKeyId: id, policy, content };
}

export interface Retrieval {
  response: RetrieveResponse;
  /** Milliseconds by stage. */
  stages: Record<string, number>;
  degraded: Degraded[];
  question: Question;
  /** The question completed from the chat, if it was searched in place of the original. */
  searchQuery: string | null;
  /** Context fields that were shortened to fit the prompt. */
  truncatedFields: string[];
  /** The answer as it may be stored: without names of the context fields; null when no answer was requested. */
  keptAnswer: string | null;
  /** Whether the answer cites a result; null when no answer was requested. */
  answered: boolean | null;
  trace: RetrievalTrace;
}

/** The results, as they are before the answer is written. */
export type FoundPart = { type: "found" } & Omit<Retrieval, "truncatedFields" | "keptAnswer" | "answered">;

/** Yields the results first, then the answer while it is written. */
export type RetrievalParts = AsyncGenerator<FoundPart | AnswerPart, Retrieval>;

/**
 * Finds what the company's knowledge says about a question, and optionally writes an answer from the results.
 * Stages: complete the question → embed → candidates (vector ∪ keyword) → fuse → rerank → threshold and limit → answer.
 * @throws {AppError} Forbidden when the policy does not allow the requested answer; TooManyRequests when too many
 * questions of the company are waiting
 */
export function retrieve(scope: TenantScope, request: RetrieveRequest, options: RetrieveOptions): Promise<Retrieval> {
  return returnValueOf(retrieveInParts(scope, request, options, false));
}

/**
 * Like `retrieve`, with the results as soon as they are found, and then the answer while it is written. Its text is the
 * same. The request is logged at the end.
 */
export function streamRetrieval(
  scope: TenantScope,
  request: RetrieveRequest,
  options: RetrieveOptions,
): RetrievalParts {
  return retrieveInParts(scope, request, options, true);
}

/** The results of a retrieval in parts, which waits until the caller takes its further parts. */
export async function foundIn(parts: RetrievalParts): Promise<FoundPart> {
  const { value: found } = await parts.next();
  if (!("type" in found) || found.type !== "found") throw new Error("A retrieval starts with its results");
  return found;
}

async function* retrieveInParts(
  scope: TenantScope,
  given: RetrieveRequest,
  options: RetrieveOptions,
  streamed: boolean,
): RetrievalParts {
  const { filters, limit } = applyPolicy(options.policy ?? {}, given);
  const refusal = queueRefusal(scope.companyId);
  if (refusal) throw refusal;
  const watch = stopwatch(options.signal);
  const degraded: Degraded[] = [];
  const context = { watch, degraded, signal: options.signal };
  const { companyId } = scope;
  const started = performance.now();

  const content = options.content ?? (await watch.time("blocks", () => servedContent(scope)));
  const settings = options.settings ?? content.settings;
  const request = withSettings(given, settings);
  const searchQuery = await searchedText(request, context);
  const queryText = searchQuery ?? request.queryText;
  const ranking = await rankChunks(
    scope,
    {
      ...{ ...request, queryText, filters, content, isCompleted: searchQuery !== null },
      ...{ wanted: limit, vectorWeight: settings.vectorWeight },
    },
    context,
  );
  // a calibration belongs to the search weights whose scores were judged
  const calibration = settings.vectorWeight === content.settings.vectorWeight ? content.calibration : null;
  const { chunks, isCalibrated } = calibrateScores(ranking, calibration, degraded);
  const passing = chunks.filter(({ score }) => score >= request.scoreThreshold);
  const shown = passing.slice(0, limit);
  // completing the question may wait for a language model, which is not the search
  const retrievalTimeMs = Math.round(performance.now() - started - (watch.stages.complete ?? 0));

  const { question } = ranking;
  const results = shown.map((scored) => toResult(companyId, scored));
  const trace = {
    ...traceOf(ranking, passing.length, shown),
    ...(isCalibrated && { calibrated: true as const }),
    starts: watch.starts,
  };
  const response: RetrieveResponse = { results, total: results.length, retrievalTimeMs };
  yield { type: "found", response, stages: watch.stages, degraded, question, searchQuery, trace };

  const wantsAnswer = request.returnMode === "ai_generated_answer" || options.origin === "test";
  const verified = wantsAnswer ? await closestVerified(scope, { question, chunks: shown }, context) : null;
  const evidence = shown.map(({ score, rawScore, lexical, ordinal, chunk }) => ({
    // calibration changes neither the order nor the answer
    score: rawScore ?? score,
    keywordScore: lexical,
    phrasing: chunk.phrasing ?? undefined,
    language: ranking.languages.get(blockOf(ordinal)) ?? undefined,
  }));
  const answer = yield* writeAnswer(
    { companyId, request, settings, question, results, evidence, verified, streamed },
    context,
  );
  const retrieval: Retrieval = {
    response: { ...(answer && { aiGeneratedAnswer: answer.answer }), ...response },
    stages: watch.stages,
    degraded,
    question,
    searchQuery,
    truncatedFields: answer?.truncatedFields ?? [],
    keptAnswer: answer?.kept ?? null,
    answered: answer?.supported ?? null,
    trace: {
      ...trace,
      ...(answer && answer.dropped.length > 0 && { dropped: answer.dropped }),
      ...(verified && { verified: verified.match }),
    },
  };
  if (degraded.length > 0) log().warn({ requestId: options.requestId, degraded }, "retrieval degraded");
  const durationMs = Math.round(performance.now() - started);
  const { origin } = options;
  if (origin !== "test")
    recordRetrieval(companyId, request, { ...options, origin }, { ...retrieval, shown, durationMs });
  return retrieval;
}

function traceOf(ranking: Ranking, aboveThreshold: number, shown: ScoredChunk[]): RetrievalTrace {
  const { live, eligible, candidates, chunks, reranked, model, index } = ranking;
  const fused = new Map(chunks.map(({ ordinal, score }, index) => [ordinal, { rank: index + 1, score }]));
  return {
    live,
    eligible,
    read: chunks.length,
    vectorCandidates: candidates.filter(({ vectorRank }) => vectorRank !== null).length,
    lexicalCandidates: candidates.filter(({ lexicalRank }) => lexicalRank !== null).length,
    fused: candidates.length,
    ...(reranked !== null && { reranked }),
    aboveThreshold,
    results: shown.map(({ ordinal, weight: _, chunk, alsoIn: __, ...parts }) => ({
      ...parts,
      id: chunk.id,
      fusedScore: fused.get(ordinal)?.score ?? parts.score,
      fusedRank: fused.get(ordinal)?.rank ?? 0,
    })),
    model,
    index,
  };
}

/** The options of a retrieval that the log keeps. */
interface LoggedOptions extends RetrieveOptions {
  origin: Exclude<RetrieveOptions["origin"], "test">;
}

function recordRetrieval(
  companyId: CompanyId,
  request: CompleteRequest,
  { requestId, origin, via, policy, apiKeyId, userId, asKeyId }: LoggedOptions,
  { shown, ...retrieval }: Retrieval & { shown: ScoredChunk[]; durationMs: number },
): void {
  const { response, trace, stages, degraded, durationMs, keptAnswer, answered, searchQuery } = retrieval;
  recordQuery(companyId, {
    id: requestId,
    at: new Date(),
    origin,
    via: via ?? null,
    apiKeyId: apiKeyId ?? null,
    userId: userId ?? null,
    queryText: request.queryText,
    request: { ...settingsOf(request), ...(asKeyId && { asKeyId }), ...(searchQuery !== null && { completed: true }) },
    results: shown.map(toLoggedResult),
    answer: keptAnswer,
    policy: apiKeyId || asKeyId ? (policy ?? {}) : null,
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
function settingsOf({ filters, scoreThreshold, returnMode, limit, useRerank }: CompleteRequest) {
  return { filters: writtenFilters(filters), scoreThreshold, returnMode, limit, useRerank };
}
