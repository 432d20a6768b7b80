import { stemmer as stemDutch } from "@orama/stemmers/dutch";
import { stemmer as stemEnglish } from "@orama/stemmers/english";
import { stemmer as stemFrench } from "@orama/stemmers/french";
import { stemmer as stemGerman } from "@orama/stemmers/german";
import { stemmer as stemItalian } from "@orama/stemmers/italian";
import { stemmer as stemPortuguese } from "@orama/stemmers/portuguese";
import { stemmer as stemSpanish } from "@orama/stemmers/spanish";
import { copyOfWord } from "../copy-of-word.ts";
import { normalize } from "../normalize.ts";
import { FUNCTION_WORDS, type Language } from "./function-words.ts";

const GRAM_LENGTH = 4;
const STEM_CACHE_SIZE = 16_000;
/** A longer token is not a real word, and the stemmers would need quadratic time for it. */
const STEMMED_LENGTH_MAX = 64;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Choose the look of the character before them, such as that of an emoji or of a Chinese character in a name. */
const VARIATION_SELECTORS = /[\uFE00-\uFE0F\u20E3\u{E0100}-\u{E01EF}]/gu;
/** Between a digit and a superscript or fraction, which normalise to digits: 49¹ is not 491. */
const AFTER_DIGIT = /(?<=\p{Nd})(?=\p{No})/gu;
const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/gu;
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu;
const ASCII = /^[a-z0-9]*$/;
const SURROGATE = /[\uD800-\uDFFF]/;
const CJK = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u;
/** Scripts that do not separate all words by spaces. */
const UNSPACED = "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}";
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]+$`, "u");
const SCRIPT_RUN = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, "gu");

const STEMMERS: Readonly<Record<Language, (word: string) => string>> = {
  en: cached(stemEnglish),
  it: cached(stemItalian),
  es: cached(stemSpanish),
  de: cached(stemGerman),
  fr: cached(stemFrench),
  pt: cached(stemPortuguese),
  nl: cached(stemDutch),
};

/** The content words of a text, in order: lower-case, without possessive 's and without the language's stop words. */
export function contentWords(text: string, language: Language | null): string[] {
  return withoutFunctionWords(wordsOf(text), language);
}

/** All words of a text, in order: lower-case, without possessive 's. */
export function wordsOf(text: string): string[] {
  const plain = normalize(text.replace(AFTER_DIGIT, " "), "NFKC").toLowerCase().replace(VARIATION_SELECTORS, "");
  return plain.replace(POSSESSIVE, "").match(WORD) ?? [];
}

/** Leaves out the function words of a language from words in lower case. */
export function withoutFunctionWords(words: string[], language: Language | null): string[] {
  return language === null ? words : words.filter((word) => !FUNCTION_WORDS[language].has(word));
}

/** Whether a word has only scripts without spaces, so that its tokens are the same in every language. */
export function isUnspaced(word: string): boolean {
  return IS_UNSPACED.test(word);
}

/** Whether a token is one Chinese, Japanese or Korean character, which the grams part of the index has too. */
export function isSingleCharacter(token: string): boolean {
  return token.length <= 2 && CJK.test(token) && [...token].length === 1;
}

/** The tokens of one word for the words part of the index: its stem, or character pairs in scripts without spaces. */
export function stemTokens(word: string, language: Language | null): string[] {
  if (!HAS_UNSPACED.test(word)) return [stem(word, language)];
  if (isUnspaced(word)) return pieces(word, 2);
  return scriptRuns(word).flatMap((run) => (HAS_UNSPACED.test(run) ? pieces(run, 2) : stem(run, language)));
}

/** The tokens of one word for the grams part of the index: overlapping 4-grams of `_word_` without accents, or single CJK characters. */
export function gramTokens(word: string): string[] {
  if (!CJK.test(word)) return pieces(`_${foldAccents(word)}_`, GRAM_LENGTH);
  return scriptRuns(word).flatMap((run) =>
    CJK.test(run) ? pieces(run, 1) : pieces(`_${foldAccents(run)}_`, GRAM_LENGTH),
  );
}

function stem(word: string, language: Language | null): string {
  return language === null || word.length > STEMMED_LENGTH_MAX ? word : STEMMERS[language](word);
}

function scriptRuns(word: string): string[] {
  return word.match(SCRIPT_RUN) ?? [];
}

/** Overlapping pieces of `size` characters; a shorter run is one piece. */
function pieces(run: string, size: number): string[] {
  const characters = SURROGATE.test(run) ? [...run] : run;
  if (characters.length <= size) return [run];
  const result: string[] = [];
  for (let end = size; end <= characters.length; end++) {
    const piece = characters.slice(end - size, end);
    result.push(typeof piece === "string" ? piece : piece.join(""));
  }
  return result;
}

/** Drops accents in alphabets that are often written without them. Vowel signs of other scripts stay. */
export function foldAccents(word: string): string {
  return ASCII.test(word) ? word : normalize(word, "NFD").replace(ACCENTS, "$1");
}

/** Caches stems, because a corpus repeats its words. Clears the cache when it is full. */
function cached(stemmer: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    if (known.size >= STEM_CACHE_SIZE) known.clear();
    const stemmed = copyOfWord(stemmer(word));
    known.set(copyOfWord(word), stemmed);
    return stemmed;
  };
}
