import { escapePattern } from "../escape-pattern.ts";
import type { Prompt } from "./prompt.ts";

/** Names of the context that an answer may repeat. Each sentence is compared with all of them. */
const NAMES_MAX = 1_000;
/** What a kept answer has in place of a name. */
const MARK = "[name]";

/** How an answer may address the client, and which products it may name: by what the model was given. */
export function namesIn({
  clientName,
  companyName,
  companyProductsNames,
  clientServices,
}: Prompt["context"]): string[] {
  const fields = [clientName, companyName, companyProductsNames, clientServices];
  const names = fields.flatMap((field) => field?.split(/[,;\n]/).map((name) => name.trim()) ?? []);
  return [...new Set(names)].filter((name) => name !== "").slice(0, NAMES_MAX);
}

/**
 * The answer as it may be kept: without the names of the context, and without a part of the client's name where it is
 * written as a name. Whole words, in any case.
 */
export function withoutNames(answer: string, context: Prompt["context"]): string {
  const masked = replaceWords(answer.normalize(), namesIn(context), () => MARK);
  const parts = context.clientName?.match(/[\p{L}\p{M}\p{N}]{2,}/gu) ?? [];
  return replaceWords(masked, parts.slice(0, NAMES_MAX), (word) => (/^\p{Ll}/u.test(word) ? word : MARK));
}

function replaceWords(text: string, words: string[], replace: (word: string) => string): string {
  const spaced = text.toLowerCase().replace(/\s+/g, " ");
  const normal = words.map((word) => word.normalize().replace(/\s+/g, " "));
  // a pattern of all of them would be tried at every word
  const found = normal.filter((word) => spaced.includes(word.toLowerCase()));
  if (found.length === 0) return text;
  const patterns = found.sort((a, b) => b.length - a.length).map(wholeWord);
  return text.replace(new RegExp(patterns.join("|"), "giu"), replace);
}

/** Scripts without spaces have no ends of words to look for. */
function wholeWord(word: string): string {
  const pattern = word.split(" ").map(escapePattern).join("\\s+");
  const before = /^(?!\p{Lo})[\p{L}\p{N}]/u.test(word) ? "(?<![\\p{L}\\p{N}])" : "";
  const after = /(?!\p{Lo})[\p{L}\p{N}]$/u.test(word) ? "(?![\\p{L}\\p{M}\\p{N}])" : "";
  return before + pattern + after;
}
