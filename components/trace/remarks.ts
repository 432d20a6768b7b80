import type { RankedChunk, RetrievalTrace } from "@/lib/db/stored-json.ts";

const list = new Intl.ListFormat("en");

/** Sentences about what changed the results or the answer, beyond the scores. */
export function remarksOf({ results, dropped = [] }: Pick<RetrievalTrace, "results" | "dropped">): string[] {
  const older = named(results, ({ outdated }) => outdated);
  const ordering = named(results, ({ hasOrders }) => hasOrders);
  const reasons = list.format(new Set(dropped));
  return [
    older && `${older}: an older version of a document, which lowered the score.`,
    ordering && `${ordering}: orders to an assistant in the text. Ragstone’s own answers never quote them.`,
    dropped.length === 1 && `One sentence was left out of the answer: the cited chunks do not state its ${reasons}.`,
    dropped.length > 1 &&
      `${dropped.length} sentences were left out of the answer: the cited chunks do not state their ${reasons}.`,
  ].filter((remark) => typeof remark === "string");
}

/** "Result 2", "Results 2 and 4"; null without any. */
function named(results: RankedChunk[], isMeant: (result: RankedChunk) => true | undefined): string | null {
  const ranks = results.flatMap((result, index) => (isMeant(result) ? [String(index + 1)] : []));
  return ranks.length === 0 ? null : `Result${ranks.length === 1 ? "" : "s"} ${list.format(ranks)}`;
}
