import type { Language } from "../../language/function-words.ts";
import { termsOf } from "./terms.ts";

/** Words with a digit, as in "SKU-4563", and in capitals, as in "GPU". */
const CODE =
  /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}-]*\p{N})(?=[\p{L}\p{N}-]*\p{L})[\p{L}\p{N}-]{2,40}|(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\p{N}]{1,11}(?![\p{L}\p{N}])/gu;
/** Words that begin with a capital inside a sentence. */
const CAPITALISED = /(?<=[\p{L}\p{N},’'] )\p{Lu}[\p{L}\p{N}]{1,40}/gu;

/** The terms of a question that name something: codes and, except in German, where every noun has one, capitals. */
export function namesIn(question: string, language: Language): ReadonlySet<string> {
  const words = [...question.matchAll(CODE), ...(language === "de" ? [] : question.matchAll(CAPITALISED))];
  return words.length === 0 ? new Set() : termsOf(words.map(([name]) => name).join(" "), language);
}
