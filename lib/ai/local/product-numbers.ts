import type { Language } from "../../language/function-words.ts";
import { termsOf } from "./terms.ts";

const WORD = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu;
/** Words that begin with a capital inside a sentence. */
const CAPITALISED = /(?<=[\p{L}\p{N},’'] )\p{Lu}[\p{L}\p{N}]{1,40}/gu;

/** The terms of a question that name something: codes and, except in German, where every noun has one, capitals. */
export function namesIn(question: string, language: Language): ReadonlySet<string> {
  const codes = (question.match(WORD) ?? []).filter(isCode);
  const names = [...codes, ...(language === "de" ? [] : (question.match(CAPITALISED) ?? []))];
  return names.length === 0 ? new Set() : termsOf(names.join(" "), language);
}

/** Whether a word has letters and digits, as "SKU-4563", or only capitals, as "GPU". */
function isCode(word: string): boolean {
  return /\p{L}/u.test(word) ? /\p{N}/u.test(word) || /^\p{Lu}{2,12}$/u.test(word) : false;
}

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
