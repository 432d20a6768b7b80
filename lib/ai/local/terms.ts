import { contentWords, stemTokens } from "../../retrieval/analyze.ts";
import type { Language } from "../function-words.ts";

/** As in Wi-Fi and e-mail, which are as often written without. */
const JOINING_HYPHEN = /(?<=(?<!\p{L})\p{L}{1,3})[-‑](?=\p{L})/gu;
/** A word inside a longer one, as phone in telephone or Laufzeit in Vertragslaufzeit, is at least this long. */
const PART_LENGTH_MIN = 5;

/** The distinct content words of a text, stemmed and without accents; all its words when they are all function words. */
export function termsOf(text: string, language: Language): Set<string> {
  const joined = text.replaceAll(JOINING_HYPHEN, "");
  const content = contentWords(joined, language);
  const words = content.length > 0 ? content : contentWords(joined, null);
  return new Set(words.flatMap((word) => stemTokens(word, language)).map(withoutAccents));
}

/** How surely a set holds a term: 1 as it is, 0.5 as the beginning or end of a longer word or the other way round, else 0. */
export function holds(terms: ReadonlySet<string>, term: string): number {
  if (terms.has(term)) return 1;
  for (const other of terms) {
    const [short, long] = other.length < term.length ? [other, term] : [term, other];
    if (short.length >= PART_LENGTH_MIN && (long.startsWith(short) || long.endsWith(short))) return 0.5;
  }
  return 0;
}

function withoutAccents(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{Mn}/gu, "");
}
