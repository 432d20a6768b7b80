import type { Language } from "../../language/function-words.ts";
import { contentWords, stemTokens } from "../../language/tokens.ts";
import { normalize } from "../../normalize.ts";

/** As in Wi-Fi and e-mail, which are as often written without a hyphen. */
const JOINING_HYPHEN = /(?<=(?<!\p{L})\p{L}{1,3})[-‑](?=\p{L})/gu;
/**
 * Minimum length of a word that may match inside a longer one, as phone in telephone or Laufzeit in Vertragslaufzeit.
 */
const PART_LENGTH_MIN = 5;
/** Longer words are not split into parts. */
const WORD_LENGTH_MAX = 64;
/** A real question has fewer longer words for one term. Without a limit, each unit could cost as much as the question. */
const LONGER_MAX = 16;

/**
 * The distinct content words of a text, stemmed and without accents; all its words when they are all function words.
 */
export function termsOf(text: string, language: Language): Set<string> {
  const joined = text.replaceAll(JOINING_HYPHEN, "");
  const content = contentWords(joined, language);
  const words = content.length > 0 ? content : contentWords(joined, null);
  return new Set(words.flatMap((word) => stemTokens(word, language)).map(withoutAccents));
}

/**
 * Returns a function that says which of the `asked` terms a set of terms contains: 1 for an exact match, 0.5 when one
 * is the beginning or end of the other. A term matches at most 16 longer asked terms, so the cost grows with the sets,
 * not with their product.
 */
export function termMatcher(asked: ReadonlySet<string>): (terms: ReadonlySet<string>) => ReadonlyMap<string, number> {
  const lengths = new Set([...asked].map(({ length }) => length).filter((length) => length >= PART_LENGTH_MIN));
  const longer = new Map<string, string[]>();
  for (const term of asked) {
    for (const part of partsOf(term, null)) {
      const terms = longer.get(part) ?? [];
      if (terms.length < LONGER_MAX) longer.set(part, [...terms, term]);
    }
  }
  const known = new Map<string, string[]>();
  function relatedTerms(term: string): string[] {
    const found = known.get(term) ?? [
      ...partsOf(term, lengths).filter((part) => asked.has(part)),
      ...(longer.get(term) ?? []),
    ];
    known.set(term, found);
    return found;
  }
  return (terms) => {
    const held = new Map<string, number>();
    for (const term of terms) {
      for (const other of relatedTerms(term)) if (!held.has(other)) held.set(other, 0.5);
      if (asked.has(term)) held.set(term, 1);
    }
    return held;
  };
}

/** Beginnings and ends of a word, of these lengths or of any, that may match it. */
function partsOf(word: string, lengths: ReadonlySet<number> | null): string[] {
  const parts: string[] = [];
  if (word.length > WORD_LENGTH_MAX) return parts;
  for (let length = PART_LENGTH_MIN; length < word.length; length++) {
    if (lengths === null || lengths.has(length)) parts.push(word.slice(0, length), word.slice(-length));
  }
  return parts;
}

function withoutAccents(word: string): string {
  return normalize(word, "NFD").replaceAll(/\p{Mn}/gu, "");
}
