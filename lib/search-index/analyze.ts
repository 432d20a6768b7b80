import { stemmer as stemDutch } from "@orama/stemmers/dutch";
import { stemmer as stemEnglish } from "@orama/stemmers/english";
import { stemmer as stemFrench } from "@orama/stemmers/french";
import { stemmer as stemGerman } from "@orama/stemmers/german";
import { stemmer as stemItalian } from "@orama/stemmers/italian";
import { stemmer as stemPortuguese } from "@orama/stemmers/portuguese";
import { stemmer as stemSpanish } from "@orama/stemmers/spanish";
import { FUNCTION_WORDS, type Language } from "../ai/function-words.ts";
import { copyOfWord, normalize } from "../normalize.ts";

/** How often each term occurs. A term is a 32-bit hash of language, part and token. */
export type TermCounts = ReadonlyMap<number, number>;

/** The two parts of the lexical index: stems of words, and pieces of four letters of the words as written. */
interface Terms {
  words: TermCounts;
  grams: TermCounts;
}

/** A question as it is cut for the index of each language. */
export type LexicalQuery = ReadonlyMap<Language | null, Terms>;

export interface AnalyzedChunk extends Terms {
  /** Tokens of each part, the title's counted twice: the lengths that BM25 normalises by. */
  wordLength: number;
  gramLength: number;
}

const TITLE_WEIGHT = 2;
const GRAM_LENGTH = 4;
const STEM_CACHE_SIZE = 50_000;
/** A longer word is none, and the stemmers would take quadratic time for it. */
const STEMMED_LENGTH_MAX = 64;
/** Terms of a question for the indexes of all languages together; 8,000 characters of prose have fewer for five. */
const QUERY_TERMS_MAX = 12_288;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/gu;
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu;
const ASCII = /^[a-z0-9]*$/;
const SURROGATE = /[\uD800-\uDFFF]/;
const CJK = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u;
/** Scripts whose words are not, or not enough, set apart by spaces. */
const UNSPACED = "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}";
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");
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

/**
 * Cuts a chunk into the terms of the index of its language; terms of the title count twice. With null, the language
 * of a text that none was found for, nothing is stemmed or stopped.
 */
export function analyzeChunk(text: string, title: string, language: Language | null): AnalyzedChunk {
  const words = new Map<number, number>();
  const grams = new Map<number, number>();
  const titleLengths = countTerms(words, grams, contentWords(title, language), language, TITLE_WEIGHT);
  const textLengths = countTerms(words, grams, contentWords(text, language), language, 1);
  return {
    words,
    grams,
    wordLength: titleLengths.words + textLengths.words,
    gramLength: titleLengths.grams + textLengths.grams,
  };
}

/**
 * Cuts a question into the terms of the index of each language. One in another language than the index gives up its
 * own function words too, so that what the two share (names, loan words, numbers) is not drowned by what they cannot.
 * Of a question with more terms than can be looked up, the longest words are used, which say most.
 */
export function analyzeQuery(
  text: string,
  queryLanguage: Language | null,
  indexLanguages: Iterable<Language | null>,
): LexicalQuery {
  const ownWords = [...new Set(contentWords(text, queryLanguage))].map((word) => ({ word, grams: gramTokens(word) }));
  const languages = [...new Set(indexLanguages)];
  const termsMax = Math.ceil(QUERY_TERMS_MAX / languages.length);
  const isLong = ownWords.reduce((sum, { word, grams }) => sum + Math.max(word.length, grams.length + 1), 0) > termsMax;
  const words = isLong ? ownWords.sort((a, b) => b.word.length - a.word.length) : ownWords;
  return new Map(languages.map((language) => [language, queryTerms(words, language, termsMax)]));
}

function queryTerms(ownWords: { word: string; grams: string[] }[], language: Language | null, max: number): Terms {
  const words = new Map<number, number>();
  const grams = new Map<number, number>();
  const seeds = seedsOf(language);
  let left = max;
  for (const own of ownWords) {
    if (left <= 0) break;
    if (language !== null && FUNCTION_WORDS[language].has(own.word)) continue;
    const stems = stemTokens(own.word, language).slice(0, left);
    left -= countTokens(words, stems, seeds.word, 1);
    left -= countTokens(grams, own.grams.slice(0, left), seeds.gram, 1);
  }
  return { words, grams };
}

/** The content words of a text in order: lower case, without possessive 's and without the language's stop words. */
export function contentWords(text: string, language: Language | null): string[] {
  const words = normalize(text, "NFKC").toLowerCase().replace(POSSESSIVE, "").match(WORD) ?? [];
  return language === null ? words : words.filter((word) => !FUNCTION_WORDS[language].has(word));
}

/** The tokens of one word for the words part: its stem, or character pairs where words have no spaces. */
export function stemTokens(word: string, language: Language | null): string[] {
  if (!HAS_UNSPACED.test(word)) return [stem(word, language)];
  return scriptRuns(word).flatMap((run) => (HAS_UNSPACED.test(run) ? pieces(run, 2) : stem(run, language)));
}

/** The tokens of one word for the grams part: overlapping fours of `_word_` without accents; single CJK characters. */
export function gramTokens(word: string): string[] {
  if (!CJK.test(word)) return pieces(`_${foldAccents(word)}_`, GRAM_LENGTH);
  return scriptRuns(word).flatMap((run) =>
    CJK.test(run) ? pieces(run, 1) : pieces(`_${foldAccents(run)}_`, GRAM_LENGTH),
  );
}

/** Adds the tokens of content words to both parts; returns the length that each part gained. */
function countTerms(
  words: Map<number, number>,
  grams: Map<number, number>,
  content: string[],
  language: Language | null,
  weight: number,
): { words: number; grams: number } {
  const seeds = seedsOf(language);
  const lengths = { words: 0, grams: 0 };
  for (const [word, count] of timesOf(content)) {
    lengths.words += countTokens(words, stemTokens(word, language), seeds.word, count * weight);
    lengths.grams += countTokens(grams, gramTokens(word), seeds.gram, count * weight);
  }
  return lengths;
}

/** How often each word occurs, so that each is taken apart once. */
function timesOf(words: string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return times;
}

function seedsOf(language: Language | null): { word: number; gram: number } {
  return { word: hash(`${language}:word:`), gram: hash(`${language}:gram:`) };
}

function countTokens(counts: Map<number, number>, tokens: string[], seed: number, weight: number): number {
  for (const token of tokens) {
    const term = hash(token, seed);
    counts.set(term, (counts.get(term) ?? 0) + weight);
  }
  return tokens.length * weight;
}

function stem(word: string, language: Language | null): string {
  return language === null || word.length > STEMMED_LENGTH_MAX ? word : STEMMERS[language](word);
}

function scriptRuns(word: string): string[] {
  return word.match(SCRIPT_RUN) ?? [];
}

/** Overlapping pieces of `size` characters; the whole when it is no longer than that. */
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

/** Drops accents of alphabets that people also write without; vowel signs of other scripts stay. */
function foldAccents(word: string): string {
  return ASCII.test(word) ? word : normalize(word, "NFD").replace(ACCENTS, "$1");
}

/** FNV-1a (Fowler, Noll, Vo) over UTF-16 units, then MurmurHash3's finaliser, since FNV leaves short strings close. */
function hash(token: string, seed = 0x811c9dc5): number {
  let h = seed;
  for (let i = 0; i < token.length; i++) h = Math.imul(h ^ token.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Remembers stems, because a corpus repeats its words; starts afresh when full. */
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
