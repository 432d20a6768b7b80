import { dayWords } from "@/components/time-words.ts";
import type { VerifiedMatch } from "@/lib/db/stored-json.ts";
import type { VerifiedCloseness } from "@/lib/test-questions/verified-closeness.ts";

/** "Answer verified by Ada, valid until 30 Jun 2027." */
export function verifiedWords({ by, until }: Pick<VerifiedMatch, "by" | "until">): string {
  return `Answer verified by ${by}${until ? `, valid until ${dayWords(until)}` : ""}.`;
}

/** How the minimum closeness of verified answers was chosen. */
export function closenessWords({ isOwn, questionsMin }: Omit<VerifiedCloseness, "needed">): string {
  return isOwn
    ? "After each run, Ragstone recalculates the minimum closeness so that none of your test questions gets a wrong verified answer, where that is possible."
    : `Ragstone calculates your own minimum once ${questionsMin} of your test questions have run and at least one of them got the right verified answer.`;
}

/** Why the closest verified answer was returned, or was not. */
export function matchWords({ returned, sourceId, closeness, needed }: VerifiedMatch): string {
  const figures = `closeness ${closeness.toFixed(2)}, minimum ${needed.toFixed(2)}`;
  if (returned) return `The question asks the same as “${sourceId}” (${figures}), so no model wrote the answer.`;
  return `The verified answer “${sourceId}” was not close enough to be returned word for word (${figures}).`;
}
