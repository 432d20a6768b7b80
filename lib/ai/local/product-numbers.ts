/** A product or part by its number: "Fibra 5000", "SKU-9999". Shorter numbers are dates and versions. */
const NUMBERED = /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}]{1,30}[ -])\p{N}{3,10}(?![\p{L}\p{N}.,/])/gu;

/**
 * Whether a question names a product or part by a number that no chunk has, while a chunk has another number of it; then
 * none of them answers the question.
 */
export function namesUnknownNumber(question: string, chunks: readonly { title: string; content: string }[]): boolean {
  const numbered = [...question.matchAll(NUMBERED)].filter(([name]) => !isYear(name));
  const texts = chunks.map(({ title, content }) => `${title}\n${content}`.toLowerCase());
  const isInTexts = (part: string) => texts.some((text) => text.includes(part.toLowerCase()));
  return numbered.some(([name, family = ""]) => !isInTexts(name) && isInTexts(family));
}

function isYear(name: string): boolean {
  return /[ -](?:19|20)\d\d$/.test(name);
}
