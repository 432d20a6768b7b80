import { randomUUID } from "node:crypto";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { KeyPolicy, RetrievalSettings } from "../db/stored-json.ts";
import type { TestOutcome } from "../db/stored-tests.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError, parseInput } from "../errors.ts";
import { policyOfLiveKey } from "../playground/run.ts";
import { retrieveRequest } from "../retrieval/schema.ts";
import { retrieve } from "../retrieval/service.ts";
import { copiesIn, judge, needsAnswer } from "./judge.ts";
import type { TestQuestion } from "./service.ts";

interface AskOptions {
  signal: AbortSignal;
  /** Instead of the company's settings. */
  settings?: RetrievalSettings;
}

/** Asks a test question and judges the response. Nothing of it is logged as a request. */
export async function askTestQuestion(
  scope: TenantScope,
  question: TestQuestion,
  { signal, settings }: AskOptions,
): Promise<TestOutcome> {
  try {
    const policy = await policyOfQuestion(scope, question);
    const request = parseInput(retrieveRequest, {
      queryText: question.question,
      filters: question.filters,
      returnMode: needsAnswer(question) ? "ai_generated_answer" : "chunks_only",
    });
    const options = { requestId: randomUUID(), origin: "test", policy, signal, ...(settings && { settings }) } as const;
    const { response, degraded, trace } = await retrieve(scope, request, options);
    if (degraded.length > 0) return unknown("A model was unavailable.");
    const outcome = judge(question, response);
    if (!trace.verified) return outcome;
    const { sourceId, closeness } = trace.verified;
    const shown = response.results.find(({ payload }) => payload.sourceId === sourceId);
    const alsoIn = shown ? copiesIn(shown.payload.metadata) : [];
    return { ...outcome, verified: { sourceId, closeness, ...(alsoIn.length > 0 && { alsoIn }) } };
  } catch (error) {
    if (error instanceof AppError) return unknown(error.message);
    throw error;
  }
}

/** @throws {AppError} when the question's key no longer works */
export async function policyOfQuestion(scope: TenantScope, { apiKeyId }: TestQuestion): Promise<KeyPolicy> {
  return apiKeyId ? policyOfLiveKey(scope, SYSTEM_ACTOR, apiKeyId) : {};
}

function unknown(text: string): TestOutcome {
  return { problems: [{ kind: "error", text }], answer: null, found: [] };
}

/** Null when the question could not be asked. */
export function hasPassed({ problems }: TestOutcome): boolean | null {
  return problems.some(({ kind }) => kind === "error") ? null : problems.length === 0;
}
