/** A part of a text that two versions share, or that only one of them has. */
export interface DiffPart extends Piece {
  /** Offset in the sequence of all parts. */
  at: number;
}

interface Piece {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Differences on one page that are made in full. More share the time of these. */
const IN_FULL_MAX = 3;
/** Cells of the comparison table: 2,000 tokens on each side, at most 16 MB. */
const CELLS_MAX = 4_000_000;
/** Characters of both texts between their common start and end. More are not compared, because that takes too long. */
const COMPARED_MAX = 400_000;

/**
 * The difference of two texts by words, by lines where much has changed, or as a whole where very much has. Pure.
 * Longest common subsequence: Hunt and Szymanski, "A fast algorithm for computing longest common subsequences", 1977,
 * section 2.
 * @param onPage differences that one page shows; with more, each may take less time
 */
export function diffTexts(before: string, after: string, onPage = 1): DiffPart[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const changed = diffChanged(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
    Math.min(1, IN_FULL_MAX / onPage),
  );
  return joined([
    { kind: "same", text: before.slice(0, start) },
    ...changed,
    { kind: "same", text: before.slice(before.length - end) },
  ]);
}

/** The number of characters that both texts begin with, up to the end of a line or a word. */
function commonStart(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let length = 0;
  while (length < most && before[length] === after[length]) length++;
  if (length === before.length && length === after.length) return length;
  while (length > 0 && !isSpace(before[length - 1])) length--;
  return length;
}

/** The number of characters that both texts end with after their common start, from the start of a space. */
function commonEnd(before: string, after: string, start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let length = 0;
  while (length < most && before.at(-1 - length) === after.at(-1 - length)) length++;
  while (length > 0 && !isSpace(before.at(-length))) length--;
  return length;
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character);
}

/** @param share of the time of a difference in full */
function diffChanged(before: string, after: string, share: number): Piece[] {
  if (before.length + after.length <= COMPARED_MAX * share) {
    for (const tokens of [wordsOf, linesOf]) {
      const [one, other] = [tokens(before), tokens(after)];
      if (one.length * other.length <= CELLS_MAX * share) return diffTokens(one, other);
    }
  }
  return [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? [];
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function diffTokens(before: string[], after: string[]): Piece[] {
  const width = after.length + 1;
  // numbers, because many long tokens with the same beginning take long to compare
  const [olds, freshes] = numbered(before, after);
  /** Length of the longest common subsequence of the remainders that start at two tokens. */
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] = olds[i] === freshes[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
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

/** The tokens as numbers, equal for equal tokens. */
function numbered(before: string[], after: string[]): [Uint32Array, Uint32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (token: string) => {
    const number = numbers.get(token) ?? numbers.size;
    numbers.set(token, number);
    return number;
  };
  return [Uint32Array.from(before, numberOf), Uint32Array.from(after, numberOf)];
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
