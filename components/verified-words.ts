import type { VerifiedMatch } from "@/lib/db/stored-json.ts";

/** "30 Jun 2027" for a day such as 2027-06-30. */
export function dayWords(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", { dateStyle: "medium", timeZone: "UTC" });
}

/** "Verified answer, by Ada until 30 Jun 2027." */
export function verifiedWords({ by, until }: Pick<VerifiedMatch, "by" | "until">): string {
  return `Verified answer, by ${by}${until ? ` until ${dayWords(until)}` : ""}.`;
}

/** Why the closest verified answer was returned, or was not. */
export function matchWords({ returned, sourceId, closeness, needed }: VerifiedMatch): string {
  const figures = `closeness ${closeness.toFixed(2)}, needed ${needed.toFixed(2)}`;
  if (returned) return `The question asks the same as “${sourceId}” (${figures}), so no model wrote the answer.`;
  return `The verified answer “${sourceId}” was not close enough to be returned word for word (${figures}).`;
}
