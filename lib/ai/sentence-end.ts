const CITATIONS = /(?:\s{0,2}(?:\[[^[\]\n]{0,40}\]|【[^【】\n]{0,40}】)){0,5}/.source;
/** In characters, with the citations. */
export const SENTENCE_END_LENGTH_MAX = 240;
/**
 * The end of a sentence or line with the citations after it. The first character of the next one must be there, because
 * more citations may follow; the number of a list item ends nothing.
 */
const SENTENCE_END = `(?:(?<!^[ \\t]{0,12}\\d{1,3})[.!?…]["'”’»)*_]{0,4}${CITATIONS}\\s{1,9}|[。！？]${CITATIONS}\\s{0,9}|\\n\\s{0,9})(?=[^\\s[【])`;

/** A new expression for each caller, because it keeps its position. */
export function sentenceEnd(): RegExp {
  return new RegExp(SENTENCE_END, "gm");
}

/** The sentences and lines of a text with all their white space, so that joining them gives the text again. */
export function splitSentences(text: string): string[] {
  const ends = [...text.matchAll(sentenceEnd())].map(({ index, 0: end }) => index + end.length);
  return [...ends, text.length]
    .map((end, index) => text.slice(ends[index - 1] ?? 0, end))
    .filter((part) => part !== "");
}
