import type { LoggedResult } from "../db/stored-json.ts";

interface Placed {
  /** From 1. */
  rank: number;
  score: number;
}

/** A result of two runs of the same question. `edited`: the same place in the same source with another text. */
export interface ComparedResult {
  change: "same" | "moved" | "edited" | "came" | "left";
  result: LoggedResult;
  before: Placed | null;
  after: Placed | null;
}

/**
 * Compares the results of two runs: those of the second one in their order, then those that only the first one had.
 * Pure. A changed text has another chunk id, so it is matched by its source and headings.
 */
export function compareResults(before: LoggedResult[], after: LoggedResult[]): ComparedResult[] {
  const left = new Map(before.map((result, index) => [result.id, { result, rank: index + 1, score: result.score }]));
  const kept = new Set(after.map(({ id }) => id));
  const compared = after.map((result, index): ComparedResult => {
    const now = { rank: index + 1, score: result.score };
    const isEdited = !left.has(result.id);
    const twin = left.get(result.id) ?? [...left.values()].find(({ result: old }) => isEdit(old, result, kept));
    if (!twin) return { change: "came", result, before: null, after: now };
    left.delete(twin.result.id);
    const stays = twin.rank === now.rank ? "same" : "moved";
    return { change: isEdited ? "edited" : stays, result, before: placeOf(twin), after: now };
  });
  const gone = [...left.values()].map(
    (old): ComparedResult => ({
      change: "left",
      result: old.result,
      before: placeOf(old),
      after: null,
    }),
  );
  return [...compared, ...gone];
}

function isEdit(old: LoggedResult, fresh: LoggedResult, kept: ReadonlySet<string>): boolean {
  const headings = ({ headings = [] }: LoggedResult) => headings.join("\n");
  return !kept.has(old.id) && old.sourceId === fresh.sourceId && headings(old) === headings(fresh);
}

function placeOf({ rank, score }: Placed): Placed {
  return { rank, score };
}
