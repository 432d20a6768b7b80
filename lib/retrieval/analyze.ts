import { stemmer as stemDutch } from "@orama/stemmers/dutch";
import { stemmer as stemEnglish } from "@orama/stemmers/english";
import { stemmer as stemFrench } from "@orama/stemmers/french";
import { stemmer as stemGerman } from "@orama/stemmers/german";
import { stemmer as stemItalian } from "@orama/stemmers/italian";
import { stemmer as stemPortuguese } from "@orama/stemmers/portuguese";
import { stemmer as stemSpanish } from "@orama/stemmers/spanish";
import { FUNCTION_WORDS, type Language } from "../ai/function-words.ts";

/** How often each term occurs. A term is a 32-bit hash of language, part and token. */
export type TermCounts = ReadonlyMap<number, number>;

/** The two parts of the lexical index: stems of words, and pieces of four letters of the words as written. */
export interface Terms {
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

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/gu;
const ACCENT = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{Mn}*)\p{Mn}/gu;
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
 */
export function analyzeQuery(
  text: string,
  queryLanguage: Language | null,
  indexLanguages: Iterable<Language | null>,
): LexicalQuery {
  const ownWords = contentWords(text, queryLanguage).join(" ");
  const query = new Map<Language | null, Terms>();
  for (const language of indexLanguages) {
    const words = new Map<number, number>();
    const grams = new Map<number, number>();
    countTerms(words, grams, contentWords(ownWords, language), language, 1);
    query.set(language, { words, grams });
  }
  return query;
}

/** The content words of a text in order: lower case, without possessive 's and without the language's stop words. */
export function contentWords(text: string, language: Language | null): string[] {
  const words = text.normalize("NFKC").toLowerCase().replace(POSSESSIVE, "").match(WORD) ?? [];
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
  const wordSeed = hash(`${language}:word:`);
  const gramSeed = hash(`${language}:gram:`);
  const lengths = { words: 0, grams: 0 };
  for (const word of content) {
    lengths.words += countTokens(words, stemTokens(word, language), wordSeed, weight);
    lengths.grams += countTokens(grams, gramTokens(word), gramSeed, weight);
  }
  return lengths;
}

function countTokens(counts: Map<number, number>, tokens: string[], seed: number, weight: number): number {
  for (const token of tokens) {
    const term = hash(token, seed);
    counts.set(term, (counts.get(term) ?? 0) + weight);
  }
  return tokens.length * weight;
}

function stem(word: string, language: Language | null): string {
  return language === null ? word : STEMMERS[language](word);
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
  return ASCII.test(word) ? word : word.normalize("NFD").replace(ACCENT, "");
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
    const stemmed = stemmer(word);
    known.set(word, stemmed);
    return stemmed;
  };
}
