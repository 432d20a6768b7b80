import { codeRanges, type Range } from "./code-ranges.ts";

/** A chunk's number in brackets, such as `[1]`. */
export interface Citation extends Range {
  number: number;
}

/** In characters. */
const SPACES_BEFORE_MAX = 3;

/** The citations of a checked answer, in order. Numbers in brackets within code, such as `argv[1]`, do not count. */
export function findCitations(answer: string): Citation[] {
  // of the same length: ranges of code need these line ends
  const isInCode = overlapFinder(codeRanges(answer.replaceAll("\r\n", " \n")));
  return [...answer.matchAll(/\[(\d{1,3})\]/g)]
    .map(({ 0: found, 1: digits, index }) => ({ number: Number(digits), start: index, end: index + found.length }))
    .filter((citation) => !isInCode(citation));
}

/** The numbers that a checked answer cites, without duplicates, in order of appearance. */
export function citedNumbers(answer: string): number[] {
  return [...new Set(findCitations(answer).map(({ number }) => number))];
}

/** A text without these citations of it and the spaces before them. */
export function removeCitations(text: string, citations: readonly Range[] = findCitations(text)): string {
  let end = 0;
  const parts = citations.map((citation) => {
    const part = text.slice(end, citation.start);
    end = citation.end;
    return part.slice(0, -SPACES_BEFORE_MAX) + part.slice(-SPACES_BEFORE_MAX).trimEnd();
  });
  return parts.join("") + text.slice(end);
}

/** Tells of one range after the other, in order, whether it overlaps any of the given ones, which are in order too. */
export function overlapFinder(ranges: readonly Range[]): (range: Range) => boolean {
  let next = 0;
  return ({ start, end }) => {
    while ((ranges[next]?.end ?? Infinity) <= start) next++;
    return (ranges[next]?.start ?? Infinity) < end;
  };
}
