/** Includes half-width Japanese sound marks, which are letters that normalise to marks. */
const LONG_MARK_RUN = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;
/** A few ligatures become up to 18 characters; no text consists of them alone. */
const GROWTH_MAX = 4;

/**
 * `String.prototype.normalize` in linear time: keeps only the first 30 of a run of combining marks, as in Unicode's
 * stream-safe text format (UAX #15). No language puts more on one letter. Cuts what grows to more than four times its length.
 */
export function normalize(text: string, form: "NFC" | "NFD" | "NFKC"): string {
  return limitMarks(text)
    .normalize(form)
    .slice(0, GROWTH_MAX * text.length);
}

/** Limits runs of combining marks to 30, for a library that normalises the text. */
export function limitMarks(text: string): string {
  return text.replace(LONG_MARK_RUN, "$1");
}
