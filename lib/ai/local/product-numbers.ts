import { FUNCTION_WORDS, type Language } from "../../language/function-words.ts";

/** A product or part by its number: "Fibra 5000", "SKU-9999". Shorter numbers are dates and versions. */
const NUMBERED = /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}]{1,30}[ -])\p{N}{3,10}(?![\p{L}\p{N}.,/])/gu;
/** The word before any number: "Fibra 1000", "Mobile 5". */
const FAMILY = /(?<![\p{L}\p{N}])\p{L}{2,31}[ -](?=\p{N})/gu;
/** "EUR 250", "Stück 500"; other units are names of products too, such as "Giga 1000". */
const COUNTS =
  /^(?:eur|euros?|usd|dollars?|chf|franken|gbp|pln|sek|nok|dkk|czk|huf|ron|bgn|isk|try|uah|cad|aud|nzd|jpy|cny|inr|brl|mxn|stück|stuks?|pieces|pezzi|piezas|pièces|peças)[ -]$/u;

/**
 * Whether a question names a product or part by a number that no chunk has, while a chunk has another number of it; then
 * none of them answers the question.
 */
export function namesUnknownNumber(
  question: string,
  language: Language,
  chunks: readonly { title: string; content: string }[],
): boolean {
  const texts = chunks.map(({ title, content }) => `${title}\n${content}`.toLowerCase());
  const families = new Set(texts.flatMap((text) => text.match(FAMILY) ?? []));
  return [...question.matchAll(NUMBERED)].some(([name, start = ""]) => {
    const family = start.toLowerCase();
    // "EUR 250" and "Is 1000" name no product
    if (
      COUNTS.test(family) ||
      isYear(name) ||
      FUNCTION_WORDS[language].has(family.slice(0, -1)) ||
      !families.has(family)
    )
      return false;
    return !texts.some((text) => text.includes(name.toLowerCase()));
  });
}

function isYear(name: string): boolean {
  return /[ -](?:19|20)\d\d$/.test(name);
}
