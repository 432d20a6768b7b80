import { stemmer as stemDutch } from "@orama/stemmers/dutch";
import { stemmer as stemEnglish } from "@orama/stemmers/english";
import { stemmer as stemFrench } from "@orama/stemmers/french";
import { stemmer as stemGerman } from "@orama/stemmers/german";
import { stemmer as stemItalian } from "@orama/stemmers/italian";
import { stemmer as stemPortuguese } from "@orama/stemmers/portuguese";
import { stemmer as stemSpanish } from "@orama/stemmers/spanish";
import { FUNCTION_WORDS, type Language } from "../function-words.ts";

const STEMMERS: Readonly<Record<Language, (word: string) => string>> = {
  en: stemEnglish,
  it: stemItalian,
  es: stemSpanish,
  de: stemGerman,
  fr: stemFrench,
  pt: stemPortuguese,
  nl: stemDutch,
};

const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/gu;
/** As in Wi-Fi and e-mail, which are as often written without. */
const JOINING_HYPHEN = /(?<=(?<!\p{L})\p{L}{1,3})[-‑](?=\p{L})/gu;
/** A word inside a longer one, as phone in telephone or Laufzeit in Vertragslaufzeit, is at least this long. */
const PART_LENGTH_MIN = 5;

/** How surely a set holds a term: 1 as it is, 0.5 as the beginning or end of a longer word or the other way round, else 0. */
export function holds(terms: ReadonlySet<string>, term: string): number {
  if (terms.has(term)) return 1;
  for (const other of terms) {
    const [short, long] = other.length < term.length ? [other, term] : [term, other];
    if (short.length >= PART_LENGTH_MIN && (long.startsWith(short) || long.endsWith(short))) return 0.5;
  }
  return 0;
}

/** The distinct content words of a text, stemmed and without accents; all its words when they are all function words. */
export function termsOf(text: string, language: Language): Set<string> {
  const words = wordsOf(text);
  const content = words.filter((word) => !FUNCTION_WORDS[language].has(word));
  const kept = content.length > 0 ? content : words;
  return new Set(kept.map((word) => withoutAccents(STEMMERS[language](word))));
}

/** The lower-case words of a text, in order, without possessive 's. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKC").toLowerCase().replaceAll(POSSESSIVE, "").replaceAll(JOINING_HYPHEN, "");
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function withoutAccents(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{Mn}/gu, "");
}
