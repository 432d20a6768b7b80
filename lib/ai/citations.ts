import { cleanText } from "../text.ts";
import { codeRanges } from "./code-ranges.ts";
import type { ContextChunk } from "./context-chunk.ts";
import { citedNumbers, findCitations, overlapFinder } from "./find-citations.ts";
import { safeMarkdown } from "./safe-markdown.ts";

/**
 * Makes a generated answer safe to display and its citations valid. Citations in any notation become `[1][2]`; numbers
 * without a chunk are removed. Only addresses that the cited chunks contain are kept, and HTML is shown as text.
 *
 * @param chunks the chunks that the model was given: `[1]` is the first.
 */
export function checkCitations(answer: string, chunks: readonly ContextChunk[]): string {
  const text = cleanText(answer).replaceAll(/\r\n?/g, "\n");
  const cited = normaliseCitations(safeMarkdown(text, chunks), chunks.length);
  const citedChunks = citedNumbers(cited).flatMap((number) => chunks[number - 1] ?? []);
  return safeMarkdown(cited, citedChunks).trim();
}

/** A stored text in which no number in brackets outside code reads as a citation: `[2]` becomes `[ 2 ]`. */
export function withoutCitations(text: string): string {
  let end = 0;
  const parts = findCitations(text).map((citation) => {
    const before = text.slice(end, citation.start);
    end = citation.end;
    return `${before}[ ${text.slice(citation.start + 1, citation.end - 1)} ]`;
  });
  return parts.join("") + text.slice(end);
}

// White space is bounded everywhere: an answer may be nonsense, and long runs of spaces would take quadratic time.
const NUMBERS = /\s{0,2}(?:(?:chunk|passage)s?\s{1,2})?\d{1,3}(?:\s{0,2}(?:[,;–-]|and)\s{0,2}\d{1,3}){0,30}\s{0,2}/
  .source;
const BRACKETS = `(?:\\[\\^?${NUMBERS}\\]|【${NUMBERS}(?:†[^】]*)?】)`;
const CITATION_RUN = new RegExp(`([ \\t]{0,2})(${BRACKETS}(?:\\s{0,2},?\\s{0,2}${BRACKETS})*)`, "gi");

function normaliseCitations(answer: string, chunkCount: number): string {
  const isInCode = overlapFinder(codeRanges(answer));
  return answer.replaceAll(CITATION_RUN, (run: string, space: string, brackets: string, offset: number) => {
    if (isInCode({ start: offset, end: offset + run.length })) return run;
    const known = [...new Set(numbersOf(brackets))].filter((number) => number >= 1 && number <= chunkCount);
    return known.length === 0 ? "" : `${space}${known.map((number) => `[${number}]`).join("")}`;
  });
}

/** Reads `1, 3-5` as 1, 3, 4, 5. A range that runs backwards or is longer than 20 counts as its two ends. */
function numbersOf(brackets: string): number[] {
  return [...brackets.matchAll(/(\d{1,3})(?:\s*[–-]\s*(\d{1,3}))?/g)].flatMap(([, from, to]) => {
    const first = Number(from);
    const last = to === undefined ? first : Number(to);
    if (last < first || last - first > 20) return [first, last];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
