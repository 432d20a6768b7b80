import { dayWords } from "@/components/time-words.ts";
import type { VerifiedMatch } from "@/lib/db/stored-json.ts";
import type { VerifiedCloseness } from "@/lib/test-questions/verified-closeness.ts";

/** "Answer verified by Ada, valid until 30 Jun 2027." */
export function verifiedWords({ by, until }: Pick<VerifiedMatch, "by" | "until">): string {
  return `Answer verified by ${by}${until ? `, valid until ${dayWords(until)}` : ""}.`;
}

/** How the closeness needed for a verified answer was chosen. */
export function closenessWords({ isOwn, questionsMin }: Omit<VerifiedCloseness, "needed">): string {
  return isOwn
    ? "Ragstone calculates the needed closeness again after each run of your test questions, so that none of them gets a wrong verified answer."
    : `Ragstone calculates the needed closeness from your test questions once ${questionsMin} of them have run and one got the right verified answer.`;
}

/** Why the closest verified answer was returned, or was not. */
export function matchWords({ returned, sourceId, closeness, needed }: VerifiedMatch): string {
  const figures = `closeness ${closeness.toFixed(2)}, needed ${needed.toFixed(2)}`;
  if (returned) return `The question asks the same as “${sourceId}” (${figures}), so no model wrote the answer.`;
  return `The verified answer “${sourceId}” was not close enough to be returned word for word (${figures}).`;
}
