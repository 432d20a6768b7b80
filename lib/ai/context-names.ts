import { escapePattern } from "../escape-pattern.ts";
import { normalize } from "../normalize.ts";
import type { Prompt } from "./prompt.ts";

/** Names of the context that an answer may repeat. Each sentence is compared with all of them. */
const NAMES_MAX = 1_000;
/** Parts of the client's name. No person's name has more. */
const PARTS_MAX = 50;
/** What a kept answer has in place of a name. */
const MARK = "[name]";

const ASIAN_LETTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}]/gu;
/** They follow a part of the name: "山田様", "王先生", "민수씨". */
const ASIAN_TITLES = "先生|女士|小姐|様|さん|氏|님|씨";

/** Other scripts have no ends of words to look for. */
const OF_SPACED_WORD = "[\\p{Lu}\\p{Ll}\\p{Lt}\\p{N}]";
const START = `(?:(?<![\\p{L}\\p{N}])|(?!${OF_SPACED_WORD}))`;
const END = `(?:(?![\\p{L}\\p{M}\\p{N}])|(?<!${OF_SPACED_WORD}))`;
/** "Rossis", but "This" is no genitive of "Thi". */
const END_OR_GENITIVE = `(?:${END}|(?<=\\p{L}{4})(?=s(?![\\p{L}\\p{M}\\p{N}])))`;

/** How an answer may address the client, and which products it may name: by what the model was given. */
export function namesIn({
  clientName,
  companyName,
  companyProductsNames,
  clientServices,
}: Prompt["context"]): string[] {
  const fields = [clientName, companyName, companyProductsNames, clientServices];
  // a comma between digits is a part of "1,5 Gbit"
  const names = fields.flatMap((field) => field?.split(/[;\n]|,(?!\d)|(?<!\d),/).map((name) => name.trim()) ?? []);
  return [...new Set(names)].filter((name) => name !== "").slice(0, NAMES_MAX);
}

/**
 * The answer as it may be kept: without the names of the context, and without a part of the client's name where it is
 * written as a name. Whole words, in any case, with or without accents. A name without a letter stays, because it may be
 * a fact or a citation.
 */
export function withoutNames(answer: string, context: Prompt["context"]): string {
  const unnamed = mask(normalize(answer, "NFC"), wordPattern(answer, namesIn(context)));
  const client = context.clientName ?? "";
  const isName = (word: string) => !/^\p{Ll}/u.test(word);
  return mask(unnamed, [...titledPart(client), ...wordPattern(unnamed, partsOf(client), END_OR_GENITIVE)], isName);
}

/** The words of a name, and what a hyphen or an apostrophe joins in them. */
function partsOf(name: string): string[] {
  const words = fold(name).match(/[\p{L}\p{M}\p{N}]+(?:['-][\p{L}\p{M}\p{N}]+)*/gu) ?? [];
  const parts = words.flatMap((word) => [word, ...word.split(/['-]/)]).filter((part) => part.length > 1);
  return [...new Set(parts)].slice(0, PARTS_MAX);
}

/** A pattern of the words that a text has, longest first, for folded text. */
function wordPattern(text: string, words: string[], end = END): string[] {
  const folded = fold(text);
  // a name does not hide a citation
  const known = new Set(
    words.map((word) =>
      fold(word)
        .replace(/(?:\[\d+\]|\s)+/g, " ")
        .trim(),
    ),
  );
  const found = [...known].filter((word) => /\p{L}/u.test(word) && folded.includes(word));
  found.sort((a, b) => b.length - a.length);
  return found.length === 0 ? [] : [`${START}(?:${found.map(escapePattern).join("|")})${end}`];
}

/** A part of a Chinese, Japanese or Korean name before a title. */
function titledPart(name: string): string[] {
  const letters = [...new Set(normalize(name, "NFC").match(ASIAN_LETTER))].slice(0, PARTS_MAX).join("");
  return letters === "" ? [] : [`[${letters}]{1,4}(?=\\s?(?:${ASIAN_TITLES}))`];
}

/** Replaces what the patterns find in the folded text. */
function mask(text: string, patterns: string[], isName: (found: string) => boolean = () => true): string {
  if (patterns.length === 0) return text;
  let end = 0;
  const parts = [...fold(text).matchAll(new RegExp(patterns.join("|"), "gu"))].map(({ 0: found, index }) => {
    const [before, word] = [text.slice(end, index), text.slice(index, index + found.length)];
    end = index + found.length;
    return before + (isName(word) ? MARK : word);
  });
  return parts.join("") + text.slice(end);
}

/** In lower case, without accents, with plain apostrophes, hyphens and spaces. As long as the composed text. */
function fold(text: string): string {
  return normalize(text, "NFC")
    .replace(/[\u00C0-\u052F\u1E00-\u1FFF]/g, (letter) => letter.normalize("NFD").charAt(0))
    .toLowerCase()
    .replace(/\s/g, " ")
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/[‐‑–]/g, "-");
}
