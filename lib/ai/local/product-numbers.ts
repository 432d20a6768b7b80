import { FUNCTION_WORDS, type Language } from "../../language/function-words.ts";

/** A product or part by its number: "Fibra 5000", "SKU-9999". Shorter numbers are dates and versions. */
const NUMBERED = /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}]{1,30}[ -])\p{N}{3,10}(?![\p{L}\p{N}.,/])/gu;
/** The word before any number: "Fibra 1000", "Mobile 5". */
const FAMILY = /(?<![\p{L}\p{N}])\p{L}{2,31}[ -](?=\p{N})/gu;
/** "EUR 250", "Stück 500"; other units and codes are names of products too, such as "Giga 1000" and "CAD 3000". */
const COUNTS =
  /^(?:EUR|USD|CHF|GBP|PLN|SEK|NOK|DKK|CZK|HUF|BGN|UAH|AUD|NZD|JPY|CNY|INR|BRL|MXN|Euros?|Dollars?|Franken|Stück|Stuks?|Pieces|Pezzi|Piezas|Pièces|Peças)[ -]$/u;

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
      COUNTS.test(start) ||
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
