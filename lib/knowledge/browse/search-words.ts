/** More words than a search has. Each one is a condition of the query. */
const WORDS_MAX = 20;

/** The words of a search within a source. Each of them must occur, in any order. */
export function searchWords(search: string): string[] {
  return [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, WORDS_MAX);
}

/** Matches every occurrence of the words in a text; null without a word. */
export function wordPattern(words: string[]): RegExp | null {
  if (words.length === 0) return null;
  // the longest first, so that "refunds" is not matched as "refund"
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((word) => RegExp.escape(word)).join("|"), "giu");
}
