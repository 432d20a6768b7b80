import type { TestProblem } from "@/lib/db/stored-tests.ts";
import type { Change } from "@/lib/test-questions/changes.ts";
import type { TestQuestion } from "@/lib/test-questions/service.ts";

type Expectation = Pick<TestQuestion, "expectedSource" | "excludedSource" | "facts" | "mustRefuse">;

/** What people call sources, by the caller's identifier. */
type SourceNames = ReadonlyMap<string, string>;

/** What a test question expects, as short sentences. */
export function expectationWords(
  { expectedSource, excludedSource, facts, mustRefuse }: Expectation,
  names: SourceNames,
): string[] {
  return [
    expectedSource !== null && `Finds ${nameOf(expectedSource, names)}`,
    excludedSource !== null && `Does not find ${nameOf(excludedSource, names)}`,
    ...facts.map(
      (fact) =>
        `Answers “${fact
          .split("|")
          .map((text) => text.trim())
          .join("” or “")}”`,
    ),
    mustRefuse && "Refuses to answer",
  ].filter((words) => words !== false);
}

function nameOf(sourceId: string, names: SourceNames): string {
  return names.get(sourceId) ?? sourceId;
}

/** What went wrong, as a sentence. */
export function problemWords(problem: TestProblem, names: SourceNames): string {
  switch (problem.kind) {
    case "source_missing":
      return `The results do not include ${nameOf(problem.sourceId, names)}.`;
    case "source_found":
      return `The results include ${nameOf(problem.sourceId, names)}.`;
    case "fact_missing":
      return "The answer does not state the fact.";
    case "refused":
      return "The answer is a refusal.";
    case "answered":
      return "The question was answered instead of refused.";
    case "error":
      return problem.text;
  }
}

/** A change, as a text that follows its time. */
export function changeWords({ what, by }: Change): string {
  const person = by ? ` by ${by}` : "";
  switch (what.kind) {
    case "version":
      return `${what.number === 1 ? "added" : `version ${what.number}`}${person}`;
    case "deleted":
    case "restored":
      return `${what.kind}${person}`;
    case "settings":
      return `Company settings changed${person}`;
    case "retrieval":
      return `Retrieval settings changed${person}`;
    case "key":
      return `Key restricted${person}`;
  }
}
