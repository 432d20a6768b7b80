import { randomUUID } from "node:crypto";
import { citedNumbers } from "../ai/find-citations.ts";
import { requireAdmin } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { retrieveRequest } from "../retrieval/schema.ts";
import { retrieve } from "../retrieval/service.ts";
import type { AnswerQuestion } from "./answer-set.ts";
import { type AnswerScore, type Asked, scoreAnswer } from "./score-answer.ts";

/** Number of results that an answer is made from. */
const GIVEN = 5;
/** Number of results to search for the fact. */
const SEARCHED = 10;

/** A question with its answer and score. */
export interface ScoredQuestion extends AnswerScore {
  id: string;
  question: string;
  kind: string;
  language: string;
  half: string;
  answer: string;
  /** Whether the answer to a follow-up question is right without the chat before it; null for other questions. */
  rightAlone: boolean | null;
  /** The source of each result, best first. */
  sources: string[];
}

interface AskOptions {
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** Asks the questions as the API would, and scores the answers. The documents must be searchable. */
export async function askForAnswers(
  scope: TenantScope,
  actor: Actor,
  questions: AnswerQuestion[],
  options: AskOptions = {},
): Promise<ScoredQuestion[]> {
  requireAdmin(scope, actor);
  const scored: ScoredQuestion[] = [];
  for (const each of questions) {
    options.signal?.throwIfAborted();
    const asked = await ask(scope, each.question, each.history);
    const alone = each.history === undefined ? null : await ask(scope, each.question);
    const rightAlone = alone && scoreAnswer(each, alone).right;
    const { id, question, kind, language, half } = each;
    const sources = asked.results.map(({ sourceId }) => sourceId);
    scored.push({
      id,
      question,
      kind,
      language,
      half,
      ...scoreAnswer(each, asked),
      answer: asked.answer,
      rightAlone,
      sources,
    });
    options.onProgress?.(scored.length, questions.length);
  }
  return scored;
}

async function ask(scope: TenantScope, question: string, history?: string): Promise<Asked> {
  const answering = retrieveRequest.parse({
    ...{ queryText: question, clientCurrentChatHistory: history },
    ...{ limit: GIVEN, returnMode: "ai_generated_answer" },
  });
  const request = () => ({ requestId: randomUUID(), origin: "cli" as const });
  const { response, searchQuery } = await retrieve(scope, answering, request());
  const { aiGeneratedAnswer: answer = "", total } = response;
  const searching = retrieveRequest.parse({ queryText: searchQuery ?? question, limit: SEARCHED });
  // a higher limit only appends
  const { results } = (await retrieve(scope, searching, request())).response;
  return {
    answer,
    cited: citedNumbers(answer),
    given: total,
    results: results.map(({ payload: { sourceId, content } }) => ({ sourceId, content })),
  };
}
