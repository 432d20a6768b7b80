const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

/** Escapes a text for use in a regular expression. */
export function escapePattern(text: string): string {
  return text.replace(SPECIAL, "\\$&");
}
