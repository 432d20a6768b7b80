import { splitText } from "./split-text.ts";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** A text with these of its words marked. */
export function Marked({ text, words }: { text: string; words: ReadonlySet<string> }) {
  return splitText(text, WORD).map(({ at, text: part, matched }) =>
    matched && words.has(part) ? <mark key={at}>{part}</mark> : part,
  );
}
