import { readFileSync } from "node:fs";
import path from "node:path";
import type { Language } from "../../language/function-words.ts";
import { contentWords, stemTokens } from "../../language/tokens.ts";
import { bundledModelDir } from "./bundled-model.ts";

/** Numbers of a word's vector, each one byte. */
export const WORD_DIMENSIONS = 64;
/** The dot product of a word's vector with itself, nearly. */
const SQUARED_LENGTH = 127 ** 2;
/** More distinct words make no question clearer, only slower. */
const QUESTION_WORDS_MAX = 40;
/** In characters of a text: more than any answer with its title and headings. */
const TEXT_LENGTH_MAX = 4_000;
/** How close the words of a text are, on average, to a word that is not in the table. */
const USUAL = 0.4;

interface WordTable {
  places: ReadonlyMap<string, number>;
  values: Int8Array;
}

let table: WordTable | undefined;

/**
 * The closeness of the question's least matched content word to the words of a text: 1 for the same word, about .5 for
 * words like "price" and "cost", near 0 for unrelated ones; 1 when all its words are in `said`.
 * @param said words of the question that need not be in the text
 * @param language of the question. The table is English, so other languages have only equal or unknown words
 */
export function weakestCloseness(question: string, said: string, text: string, language: Language): number {
  const known = new Set(wordsOf(said));
  const words = wordsOf(text.slice(0, TEXT_LENGTH_MAX));
  const stems = new Set(words.flatMap((word) => stemTokens(word, language)));
  const vectors = language === "en" ? words.flatMap((word) => vectorOf(word) ?? []) : [];
  const closeness = wordsOf(question, language)
    .filter((word) => !known.has(word))
    .slice(0, QUESTION_WORDS_MAX)
    .map((word) => (stemTokens(word, language).every((stem) => stems.has(stem)) ? 1 : closestOf(word, vectors)));
  return Math.min(1, ...closeness);
}

function wordsOf(text: string, language: Language | null = null): string[] {
  return [...new Set(contentWords(text, language))];
}

/** The closeness of a word with the closest of others, by their vectors. */
function closestOf(word: string, others: readonly Int8Array[]): number {
  const own = vectorOf(word);
  if (own === null || others.length === 0) return USUAL;
  return Math.max(0, ...others.map((other) => dot(own, other) / SQUARED_LENGTH));
}

function dot(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  // `reduce` takes ten times as long
  for (let index = 0; index < WORD_DIMENSIONS; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

/** The vector of an English word, or null for words that the model's vocabulary has only in pieces. */
function vectorOf(word: string): Int8Array | null {
  table ??= readTable();
  const place = table.places.get(word);
  return place === undefined ? null : table.values.subarray(place, place + WORD_DIMENSIONS);
}

/** Reads the words, each with its place in the values. `scripts/model/word-vectors.ts` writes the file. */
function readTable(): WordTable {
  const file = readFileSync(path.join(bundledModelDir(), "words.bin"));
  const end = file.indexOf(0);
  const words = file.toString("utf8", 0, end).split("\n");
  return {
    places: new Map(words.map((word, index) => [word, index * WORD_DIMENSIONS])),
    values: new Int8Array(file.buffer, file.byteOffset + end + 1, words.length * WORD_DIMENSIONS),
  };
}
