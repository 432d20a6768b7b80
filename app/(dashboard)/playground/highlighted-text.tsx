import { splitText } from "@/components/split-text.ts";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Highlights `words` in a text. */
export function HighlightedText({ text, words }: { text: string; words: ReadonlySet<string> }) {
  return splitText(text, WORD).map(({ at, text: part, matched }) =>
    matched && words.has(part) ? <mark key={at}>{part}</mark> : part,
  );
}
