import { findCitations } from "@/lib/ai/find-citations.ts";

interface TextPart {
  /** Offset of the part in the whole text. */
  at: number;
  text: string;
  matched: boolean;
}

/** Splits a text into the matches of a pattern and the parts between them, in order. */
export function splitText(text: string, pattern: RegExp): TextPart[] {
  const ranges = [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
  return splitAt(text, ranges);
}

/** Splits a checked answer into its citations, such as `[1]`, and the parts between them. */
export function splitCitations(answer: string): TextPart[] {
  return splitAt(answer, findCitations(answer));
}

function splitAt(text: string, ranges: readonly { start: number; end: number }[]): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    if (start > at) parts.push({ at, text: text.slice(at, start), matched: false });
    parts.push({ at: start, text: text.slice(start, end), matched: true });
    at = end;
  }
  if (at < text.length) parts.push({ at, text: text.slice(at), matched: false });
  return parts;
}
