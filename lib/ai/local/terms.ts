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

/** The distinct content words of a text, stemmed and without accents; all its words when they are all function words. */
export function termsOf(text: string, language: Language): Set<string> {
  const words = wordsOf(text);
  const content = words.filter((word) => !FUNCTION_WORDS[language].has(word));
  const kept = content.length > 0 ? content : words;
  return new Set(kept.map((word) => withoutAccents(STEMMERS[language](word))));
}

/** The lower-case words of a text, in order, without possessive 's. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/['’]s\b/gu, "")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function withoutAccents(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{Mn}/gu, "");
}
