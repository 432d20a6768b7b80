import { FUNCTION_WORDS, type Language } from "../language/function-words.ts";
import {
  contentWords,
  gramTokens,
  isSingleCharacter,
  isUnspaced,
  stemTokens,
  withoutFunctionWords,
} from "../language/tokens.ts";
import { translateWords } from "../language/translate.ts";

/** How often each term occurs. A term is a 32-bit hash of language, part and token. */
export type TermCounts = ReadonlyMap<number, number>;

/** The two parts of the keyword index: word stems, and character 4-grams of the unstemmed words. */
interface Terms {
  words: TermCounts;
  grams: TermCounts;
}

/** Terms that mean the same: a word of the question and its translations. */
export type Synonyms = readonly number[];

interface QueryTerms {
  words: readonly Synonyms[];
  grams: readonly Synonyms[];
}

/** The terms of a question for the index of each language. */
export type LexicalQuery = ReadonlyMap<Language | null, QueryTerms>;

export interface AnalyzedChunk extends Terms {
  /** Token counts of each part, which BM25 normalises by. Title tokens count twice. */
  wordLength: number;
  gramLength: number;
}

const TITLE_WEIGHT = 2;
/** Limit over the indexes of all languages. 8,000 characters of prose stay below it for five languages. */
const QUERY_TERMS_MAX = 12_288;

/**
 * Splits a chunk into the terms of its language's index. Title terms count twice.
 * @param language null when no language was detected: then no word is stemmed or dropped
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
 * Splits a question into the terms of each language's index. When a question has more terms than the limit, the longest
 * words are used because they are the most specific.
 * @param question its words without the function words of its own language, so that the words which it shares with an index
 *   of another language (names, loan words, numbers) keep their weight; its language, from which words are translated for the
 *   other indexes, or null for none
 */
export function analyzeQuery(
  question: { words: string[]; language: Language | null },
  indexLanguages: Iterable<Language | null>,
): LexicalQuery {
  const words = [...new Set(question.words)];
  const languages = [...new Set(indexLanguages)];
  const termsMax = Math.ceil(QUERY_TERMS_MAX / languages.length);
  const tokens = wordTokens();
  if (hasMoreTerms(words, tokens, termsMax)) words.sort((a, b) => b.length - a.length);
  return new Map(
    languages.map((language) => {
      const translated = translateWords(question.words, question.language, language);
      return [language, queryTerms(words, tokens, translated, language, termsMax)];
    }),
  );
}

/**
 * The terms that a chunk has if it has all these words. A single Chinese, Japanese or Korean character is found in the
 * grams part, because the words part has pairs of them.
 */
export function termsOfWords(words: string[], language: Language | null): Set<number> {
  const seeds = seedsOf(language);
  const known = language === null ? words : withoutFunctionWords(words, language);
  return new Set(
    known.flatMap((word) =>
      stemTokens(word, language).map((token) => hash(token, isSingleCharacter(token) ? seeds.gram : seeds.word)),
    ),
  );
}

/** The tokens of words, each made once for the indexes of all languages where that is possible. */
interface WordTokens {
  grams(word: string): string[];
  stems(word: string, language: Language | null): string[];
}

function wordTokens(): WordTokens {
  const grams = new Map<string, string[]>();
  const pairs = new Map<string, string[]>();
  return {
    grams: (word) => once(grams, word, () => gramTokens(word)),
    stems(word, language) {
      if (!isUnspaced(word)) return stemTokens(word, language);
      return once(pairs, word, () => stemTokens(word, null));
    },
  };
}

function once(known: Map<string, string[]>, word: string, make: () => string[]): string[] {
  const found = known.get(word);
  if (found) return found;
  const made = make();
  known.set(word, made);
  return made;
}

function hasMoreTerms(words: string[], tokens: WordTokens, max: number): boolean {
  let sum = 0;
  return words.some((word) => {
    sum += Math.max(word.length, tokens.grams(word).length + 1);
    return sum > max;
  });
}

function queryTerms(
  ownWords: string[],
  tokens: WordTokens,
  translated: ReadonlyMap<string, readonly string[]>,
  language: Language | null,
  max: number,
): QueryTerms {
  const words = new Map<string, Synonyms>();
  const grams = new Map<string, Synonyms>();
  const seeds = seedsOf(language);
  let left = max;
  for (const word of ownWords) {
    if (left <= 0) break;
    const others = translated.get(word)?.flatMap((text) => contentWords(text, language)) ?? [];
    if (others.length === 0 && language !== null && FUNCTION_WORDS[language].has(word)) continue;
    const stems = tokens.stems(word, language);
    if (others.length === 0) left -= addTokens(words, stems.slice(0, left), seeds.word);
    else left -= addSynonyms(words, [...stems, ...others.flatMap((other) => stemTokens(other, language))], seeds.word);
    const pieces = others[0] === undefined ? tokens.grams(word) : gramTokens(others[0]);
    left -= addTokens(grams, pieces.slice(0, left), seeds.gram);
  }
  return { words: [...words.values()], grams: [...grams.values()] };
}

/**
 * Adds tokens, each with its own meaning.
 * @returns their number
 */
function addTokens(groups: Map<string, Synonyms>, tokens: string[], seed: number): number {
  for (const token of tokens) groups.set(token, [hash(token, seed)]);
  return tokens.length;
}

/**
 * Adds the tokens of words that mean the same.
 * @returns the number of different tokens
 */
function addSynonyms(groups: Map<string, Synonyms>, tokens: string[], seed: number): number {
  const distinct = [...new Set(tokens)];
  groups.set(
    distinct.join(" "),
    distinct.map((token) => hash(token, seed)),
  );
  return distinct.length;
}

/**
 * Adds the tokens of content words to both parts.
 * @returns the number of tokens added to each part
 */
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

/** How often each word occurs, so that each distinct word is tokenised once. */
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

/** FNV-1a (Fowler, Noll, Vo) over UTF-16 units, then MurmurHash3's finaliser, because FNV alone maps short strings to nearby values. */
function hash(token: string, seed = 0x811c9dc5): number {
  let h = seed;
  for (let i = 0; i < token.length; i++) h = Math.imul(h ^ token.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
