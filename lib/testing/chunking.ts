/**
 * Counts words of more than seven letters as several tokens, like a wordpiece tokenizer, and adds two special tokens.
 */
export function countTokens(text: string): number {
  return 2 + (text.match(/\p{L}{1,7}|\p{N}{1,3}|[^\s\p{L}\p{N}]/gu)?.length ?? 0);
}

/** A paragraph with the given number of words, which no other paragraph has. */
export function prose(seed: string, words: number): string {
  const text = Array.from({ length: words }, (_, index) => `${seed}${index}${index % 12 === 11 ? "." : ""}`).join(" ");
  return `${text}.`;
}
