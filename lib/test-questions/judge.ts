import { citedNumbers } from "../ai/find-citations.ts";
import type { TestOutcome, TestProblem } from "../db/stored-tests.ts";
import { scoreAnswer } from "../evaluation/score-answer.ts";
import type { RetrieveResponse } from "../retrieval/schema.ts";
import { patternOf } from "./facts.ts";

/** What a question expects of its results and its answer. */
interface Expected {
  question: string;
  expectedSource: string | null;
  excludedSource: string | null;
  facts: string[];
  mustRefuse: boolean;
}

/** Whether an answer is needed to judge a question. */
export function needsAnswer({ facts, mustRefuse }: Pick<Expected, "facts" | "mustRefuse">): boolean {
  return facts.length > 0 || mustRefuse;
}

/** Compares a response with what its question expects. */
export function judge(expected: Expected, { results, aiGeneratedAnswer }: RetrieveResponse): TestOutcome {
  const found = [...new Set(results.flatMap(({ payload }) => [payload.sourceId, ...copiesIn(payload.metadata)]))];
  const { expectedSource, excludedSource } = expected;
  const problems: TestProblem[] = [];
  if (expectedSource !== null && !found.includes(expectedSource)) {
    problems.push({ kind: "source_missing", sourceId: expectedSource });
  }
  if (excludedSource !== null && found.includes(excludedSource)) {
    problems.push({ kind: "source_found", sourceId: excludedSource });
  }
  if (needsAnswer(expected)) problems.push(...answerProblems(expected, results, aiGeneratedAnswer ?? ""));
  return { problems, answer: aiGeneratedAnswer ?? null, found };
}

function answerProblems(
  { question, facts, mustRefuse }: Expected,
  results: RetrieveResponse["results"],
  answer: string,
): TestProblem[] {
  const { right, refused } = scoreAnswer(
    {
      ...{ id: "", question, kind: "single fact", language: "en", half: "report" },
      ...(mustRefuse ? { refuse: true } : { facts: facts.map((fact) => new RegExp(patternOf(fact), "iu")) }),
    },
    {
      answer,
      cited: citedNumbers(answer),
      given: results.length,
      results: results.map(({ payload: { sourceId, content } }) => ({ sourceId, content })),
    },
  );
  if (right) return [];
  return [{ kind: mustRefuse ? "answered" : refused ? "refused" : "fact_missing" }];
}

/** Other sources with the same text as a result. */
export function copiesIn({ alsoIn }: Record<string, unknown>): string[] {
  return Array.isArray(alsoIn) ? alsoIn.map(String) : [];
}
