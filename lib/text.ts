/** Replaces U+0000 and lone surrogates with U+FFFD, because PostgreSQL and UTF-8 cannot hold them. */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}

/** Shortens a text for a log, an error or a header; a shortened text ends in "…". */
export function shortened(text: string, max: number): string {
  return cleanText(text.length <= max ? text : `${text.slice(0, max - 1)}…`);
}
