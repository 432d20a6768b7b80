/** Text that PostgreSQL and UTF-8 can hold: U+0000 and lone surrogates become U+FFFD. */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}

/** A text of any length as a log, an error or a header can hold it: its beginning, with "…" where more was. */
export function shortened(text: string, max: number): string {
  return cleanText(text.length <= max ? text : `${text.slice(0, max - 1)}…`);
}
