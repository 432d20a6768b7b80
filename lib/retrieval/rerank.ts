import { detectLanguage, type Language } from "../language/language.ts";
import { contentWords, gramTokens, stemTokens, withoutFunctionWords } from "../language/tokens.ts";
import type { QuestionWords } from "./question.ts";

const SENTENCE_WEIGHT = 0.12;
const PHRASE_WEIGHT = 0.05;
/** Chunk length divided by question length: up to `none`, locality is ignored; from `full` on, it counts fully. */
const LENGTH_RATIO = { none: 6, full: 20 };
/** Characters that are read of a chunk and words of a question: only long Q&A answers and questions exceed these limits. */
const READ_CHARS = 4_000;
const PHRASE_WORDS_MAX = 64;
const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])|\n+/u;

/**
 * Adjusts the scores of the best candidates by two measures: how much of the question their best sentence covers, by
 * stems and 4-grams weighted with their idf among the candidates, and the longest run of the question's words that they
 * repeat.
 *
 * When chunks are hardly longer than the question, these measures add nothing, so the scores stay.
 * @returns a score from 0 to 1 for each candidate, in the given order
 */
export function rerank(
  { language: questionLanguage, words }: QuestionWords,
  candidates: readonly { score: number; content: string }[],
): number[] {
  const scores = candidates.map(({ score }) => score);
  const language = questionLanguage ?? detectLanguage(candidates[0]?.content ?? "");
  const question = withoutFunctionWords(words, language);
  const chunks = candidates.map(({ content }) =>
    firstSentences(content).map((sentence) => contentWords(sentence, language)),
  );
  const strength = localStrength(question, chunks);
  if (strength === 0) return scores;

  const sentence = sentenceShares(question, chunks, language);
  const phrase = phraseShares(question, chunks, language);
  const kept = 1 - strength * (SENTENCE_WEIGHT + PHRASE_WEIGHT);
  return scores.map((score, i) => {
    const local = SENTENCE_WEIGHT * (sentence[i] ?? 0) + PHRASE_WEIGHT * (phrase[i] ?? 0);
    return Math.min(1, kept * score + strength * local);
  });
}

/** The sentences and lines at the start of a chunk. */
export function firstSentences(content: string): string[] {
  const parts = content.slice(0, READ_CHARS).split(SENTENCE_END);
  return parts.map((sentence) => sentence.trim()).filter((sentence) => sentence !== "");
}

/** How much locality counts, from 0 to 1: by the logarithm of the median chunk length, measured in question lengths. */
function localStrength(question: string[], chunks: string[][][]): number {
  if (question.length === 0) return 0;
  const lengths = chunks.map((sentences) => sentences.flat().length).sort((a, b) => a - b);
  const ratio = (lengths[lengths.length >> 1] ?? 0) / question.length;
  const strength = Math.log(ratio / LENGTH_RATIO.none) / Math.log(LENGTH_RATIO.full / LENGTH_RATIO.none);
  return Math.min(1, Math.max(0, strength));
}

/** For each chunk, the share of the question that its best sentence covers: the mean over words and grams. */
function sentenceShares(question: string[], chunks: string[][][], language: Language | null): number[] {
  const words = sentenceWeights(question, chunks, (word) => stemTokens(word, language));
  const grams = sentenceWeights(question, chunks, gramTokens);
  return chunks.map((sentences, c) =>
    Math.max(0, ...sentences.map((_, s) => ((words[c]?.[s] ?? 0) + (grams[c]?.[s] ?? 0)) / 2)),
  );
}

/** For each sentence of each chunk, the share of the question's idf that its tokens cover. The idf is over the given chunks. */
function sentenceWeights(question: string[], chunks: string[][][], tokensOf: (word: string) => string[]): number[][] {
  const asked = new Set(question.flatMap(tokensOf));
  const find = cachedByWord((word) => tokensOf(word).filter((token) => asked.has(token)));
  const found = chunks.map((sentences) => sentences.map((words) => new Set(words.flatMap(find))));

  const matches = new Map<string, number>();
  for (const token of found.flatMap((sentences) => [...new Set(sentences.flatMap((sentence) => [...sentence]))])) {
    matches.set(token, (matches.get(token) ?? 0) + 1);
  }
  const idf = (token: string) => {
    const n = matches.get(token) ?? 0;
    return Math.log(1 + (chunks.length - n + 0.5) / (n + 0.5));
  };
  const weigh = (tokens: Set<string>) => [...tokens].reduce((sum, token) => sum + idf(token), 0);
  const total = weigh(asked);
  return found.map((sentences) => sentences.map((sentence) => weigh(sentence) / total));
}

/** Caches results by word, because chunks about the same topic repeat their words. */
function cachedByWord(find: (word: string) => string[]): (word: string) => string[] {
  const known = new Map<string, string[]>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const found = find(word);
    known.set(word, found);
    return found;
  };
}

/** For each chunk, the longest run of the question's stems in it beyond the first word, as a share of the question. */
function phraseShares(question: string[], chunks: string[][][], language: Language | null): number[] {
  const stems = (words: string[]) => words.flatMap((word) => stemTokens(word, language));
  const asked = stems(question).slice(0, PHRASE_WORDS_MAX);
  if (asked.length < 2) return chunks.map(() => 0);
  return chunks.map(
    (sentences) => Math.max(0, longestCommonRun(asked, stems(sentences.flat())) - 1) / (asked.length - 1),
  );
}

/** The length of the longest run that both sequences share (dynamic programming over one row). */
function longestCommonRun(a: string[], b: string[]): number {
  const runs = new Uint16Array(a.length + 1);
  let longest = 0;
  for (const item of b) {
    for (let i = a.length; i > 0; i--) {
      const run = a[i - 1] === item ? (runs[i - 1] ?? 0) + 1 : 0;
      runs[i] = run;
      if (run > longest) longest = run;
    }
  }
  return longest;
}
