import { counted } from "@/lib/counted.ts";
import type { RankedChunk, RetrievalTrace } from "@/lib/db/stored-json.ts";

const list = new Intl.ListFormat("en");
const either = new Intl.ListFormat("en", { type: "disjunction" });

/** Sentences about what changed the results or the answer, beyond the scores. */
export function remarksOf({ results, dropped = [] }: Pick<RetrievalTrace, "results" | "dropped">): string[] {
  const older = named(results, ({ outdated }) => outdated);
  const instructing = named(results, ({ hasInstructions }) => hasInstructions);
  return [
    older && `${older}: an older version of a document, which lowered the score.`,
    instructing &&
      `${instructing}: the text gives instructions to an AI assistant. Ragstone’s built-in answer model never quotes them.`,
    droppedWords(dropped),
  ].filter((remark) => typeof remark === "string");
}

/** "Left out 2 sentences that differ from the cited chunks in a number or a date."; null without any. */
export function droppedWords(dropped: readonly string[]): string | null {
  if (dropped.length === 0) return null;
  const differ = `${counted(dropped.length, "sentence")} that ${dropped.length === 1 ? "differs" : "differ"}`;
  const reasons = either.format(new Set(dropped.map((reason) => `a ${reason}`)));
  return `Left out ${differ} from the cited chunks in ${reasons}.`;
}

/** "Result 2", "Results 2 and 4"; null without any. */
function named(results: RankedChunk[], isMeant: (result: RankedChunk) => true | undefined): string | null {
  const ranks = results.flatMap((result, index) => (isMeant(result) ? [String(index + 1)] : []));
  return ranks.length === 0 ? null : `Result${ranks.length === 1 ? "" : "s"} ${list.format(ranks)}`;
}
