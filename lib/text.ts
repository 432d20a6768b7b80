/** Replaces U+0000 and lone surrogates with U+FFFD, because PostgreSQL and UTF-8 cannot hold them. */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}

/** Shortens a text for a log, an error or a header; a shortened text ends in "…". */
export function shortened(text: string, max: number): string {
  return cleanText(text.length <= max ? text : `${text.slice(0, max - 1)}…`);
}

/** The first characters of a text, never half of a surrogate pair. */
export function firstCharacters(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

/** The last characters of a text, never half of a surrogate pair. */
export function lastCharacters(text: string, length: number): string {
  return text.slice(Math.max(0, text.length - length)).replace(/^[\uDC00-\uDFFF]/, "");
}
