/** Copies a word to cache it: a slice would keep the whole long text in memory. */
export function copyOfWord(word: string): string {
  return Buffer.from(word, "utf16le").toString("utf16le");
}
