/** A part of a text that two versions share, or that only one of them has. */
export interface DiffPart extends Piece {
  /** Offset in the sequence of all parts. */
  at: number;
}

interface Piece {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Cells of the comparison table: 2,000 tokens on each side, at most 16 MB. */
const CELLS_MAX = 4_000_000;

/**
 * The difference of two texts by words, by lines where they are long, or as a whole where they are very long. Pure.
 * Longest common subsequence: Hunt and Szymanski, "A fast algorithm for computing longest common subsequences", 1977,
 * section 2.
 */
export function diffTexts(before: string, after: string): DiffPart[] {
  for (const tokens of [wordsOf, linesOf]) {
    const [one, other] = [tokens(before), tokens(after)];
    if (one.length * other.length <= CELLS_MAX) return joined(diffTokens(one, other));
  }
  return joined([
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ]);
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? [];
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function diffTokens(before: string[], after: string[]): Piece[] {
  const width = after.length + 1;
  /** Length of the longest common subsequence of the remainders that start at two tokens. */
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const parts: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old = "", fresh = ""] = [before[i], after[j]];
    if (i < before.length && j < after.length && old === fresh) {
      parts.push({ kind: "same", text: old });
      i++;
      j++;
    } else if (j >= after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ kind: "removed", text: old });
      i++;
    } else {
      parts.push({ kind: "added", text: fresh });
      j++;
    }
  }
  return parts;
}

function joined(pieces: Piece[]): DiffPart[] {
  const runs: DiffPart[] = [];
  let at = 0;
  for (const { kind, text } of pieces) {
    const last = runs.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text) runs.push({ at, kind, text });
    at += text.length;
  }
  return runs;
}
