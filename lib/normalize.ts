/** Half-width Japanese sound marks are letters that become marks. */
const ENDLESS_MARKS = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

/**
 * `String.prototype.normalize` in linear time: of a run of combining marks only the first 30 are kept, as in Unicode's
 * stream-safe text format (UAX #15). No language writes more on one letter.
 */
export function normalize(text: string, form: "NFC" | "NFD" | "NFKC"): string {
  return withoutEndlessMarks(text).normalize(form);
}

/** The text with at most 30 combining marks in a row, for a library that normalises it. */
export function withoutEndlessMarks(text: string): string {
  return text.replace(ENDLESS_MARKS, "$1");
}

/** A copy of a word to keep: a cut from a long text would keep all of that text in memory. */
export function detached(word: string): string {
  return Buffer.from(word, "utf16le").toString("utf16le");
}
