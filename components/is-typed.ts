/** Whether a person typed a text as a page shows it: any white space inside is one space. */
export function isTyped(typed: string, text: string): boolean {
  return withSingleSpaces(typed) === withSingleSpaces(text);
}

function withSingleSpaces(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
