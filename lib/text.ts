/** Text that PostgreSQL and UTF-8 can hold: U+0000 and lone surrogates become U+FFFD. */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}
