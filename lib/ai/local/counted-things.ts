import { FUNCTION_WORDS, type Language } from "../../language/function-words.ts";
import { stemTokens } from "../../language/tokens.ts";
import { isNumber } from "./type-evidence.ts";

/** The words before what is counted, as in "how many rooms". */
const HOW_MANY: Readonly<Record<Language, RegExp>> = {
  en: /(?<!\p{L})how many(?: of)?(?: the)? /u,
  it: /(?<!\p{L})quant[ie](?: del(?:le)?| dei| degli)? /u,
  es: /(?<!\p{L})cu[aá]nt[oa]s(?: de (?:las|los))? /u,
  de: /(?<!\p{L})wie ?viele(?: der)? /u,
  fr: /(?<!\p{L})combien (?:de |d['’])/u,
  pt: /(?<!\p{L})quant[oa]s(?: d[oa]s)? /u,
  nl: /(?<!\p{L})hoeveel(?: van de)? /u,
};
/** Where the noun comes first, the words after it say something else. */
const NOUN_FIRST: ReadonlySet<Language> = new Set(["it", "es", "fr", "pt"]);
/** As in "recovery codes"; a verb may follow, as in "employees work". */
const NOUN_WORDS_MAX = 3;
/** "Five million live here" counts people, "twice a day" counts times, and units of measure are abbreviated. */
const UNNAMED = new Set(
  `people persons times persone volte personas gente veces personen leute menschen mal male personnes gens fois pessoas
  vezes mensen keer square cubic metres meters metri metros meter mètres kilometres kilometers chilometri kilómetros
  kilometer kilomètres quilómetros miles miglia millas meilen feet tons tonnes tonnellate toneladas tonnen tonne ton
  pounds kilos chili kilo kilograms chilogrammi kilogramos kilogramm litres liters litri litros liter gallons euros euro
  dollars dollari dólares dollar`.split(/\s+/),
);
/** How many words may stand between a number and what it counts. */
const BETWEEN_MAX = 2;

/**
 * Whether a text states a number of the things that a "how many" question asks for, as in "five rooms" or "Rooms: 5".
 * @returns null when the question does not name what is counted
 */
export function countedBy(question: string, language: Language): ((text: string) => boolean) | null {
  const asked = question.toLowerCase();
  const found = HOW_MANY[language].exec(asked);
  if (found === null) return null;
  const words = wordsOf(asked.slice(found.index + found[0].length));
  const end = words.findIndex((word) => FUNCTION_WORDS[language].has(word));
  const most = NOUN_FIRST.has(language) ? 1 : NOUN_WORDS_MAX;
  const nouns = words.slice(0, Math.min(most, end === -1 ? words.length : end));
  if (nouns.length === 0 || nouns.some((word) => UNNAMED.has(word))) return null;
  const stems = new Set(nouns.flatMap((word) => stemTokens(word, language)));
  const isThing = (word: string) => stemTokens(word, language).some((stem) => stems.has(stem));

  return (text) => {
    const all = wordsOf(text.toLowerCase());
    return all.some((word, index) => {
      const near = all.slice(Math.max(0, index - BETWEEN_MAX - 1), index + BETWEEN_MAX + 2);
      return isThing(word) && near.some(isNumber);
    });
  };
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}
