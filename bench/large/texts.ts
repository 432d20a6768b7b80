import { bundledModelDir } from "../../lib/ai/local/bundled-model.ts";
import { loadTokenizer } from "../../lib/ai/local/tokenizer.ts";
import { roundVector, STEPS } from "../../lib/ai/round-vector.ts";
import { type AnalyzedChunk, analyzeChunk, type TermCounts } from "../../lib/search-index/analyze.ts";
import { hashEmbedding } from "../../lib/testing/hash-embedding.ts";
import { seeded, sentences } from "../corpus.ts";

export const LANGUAGE = "en";
const CHUNKS_PER_SOURCE = 10;
const SENTENCES_PER_CHUNK = 5;
/** Sources about the same subject share their sentences, so their vectors are close. */
const SUBJECTS = 100;
const SENTENCES_PER_SUBJECT = 60;

/** A text with all that the index stores of it. The parts of several texts add up to the part of the joined text. */
interface Part {
  text: string;
  analyzed: AnalyzedChunk;
  pieces: number;
  words: number;
  vector: Float64Array;
}

export interface MadeChunk {
  content: string;
  embeddingText: string;
  analyzed: AnalyzedChunk;
  pieceCount: number;
  rawWordCount: number;
  vector: Float32Array;
}

export interface MadeSource {
  title: string;
  audience: string;
  chunks: MadeChunk[];
}

/** Sources of 10 chunks of about 90 words. Sentences are analysed once, because a million chunks would take hours. */
export async function* madeSources(
  chunks: number,
  { dimensions, seed }: { dimensions: number; seed: number },
): AsyncGenerator<MadeSource> {
  const random = seeded(seed);
  const { fertility } = await loadTokenizer(bundledModelDir());
  const partOf = (text: string, title = ""): Part => ({
    text: text || title,
    analyzed: analyzeChunk(text, title, LANGUAGE),
    ...fertility(text),
    vector: Float64Array.from(hashEmbedding(text || title, dimensions)),
  });
  const parts = sentences().map((sentence) => partOf(sentence));
  const pickFrom = (all: Part[]) => () => all[Math.floor(random() * all.length)] ?? partOf("");
  const subjects = Array.from({ length: SUBJECTS }, () =>
    Array.from({ length: SENTENCES_PER_SUBJECT }, pickFrom(parts)),
  );
  for (let start = 0, source = 0; start < chunks; start += CHUNKS_PER_SOURCE, source++) {
    const title = partOf("", `Note ${source}`);
    const pick = pickFrom(subjects[Math.floor(random() * SUBJECTS)] ?? parts);
    const count = Math.min(CHUNKS_PER_SOURCE, chunks - start);
    yield {
      title: title.text,
      audience: source % 10 === 0 ? "copilot" : "ai_agent",
      chunks: Array.from({ length: count }, () => chunkOf(title, Array.from({ length: SENTENCES_PER_CHUNK }, pick))),
    };
  }
}

function chunkOf(title: Part, parts: Part[]): MadeChunk {
  const content = parts.map(({ text }) => text).join(" ");
  const all = [title, ...parts];
  return {
    content,
    embeddingText: `${title.text}\n${content}`,
    analyzed: sumOfAnalyzed(all.map(({ analyzed }) => analyzed)),
    pieceCount: parts.reduce((sum, { pieces }) => sum + pieces, 0),
    rawWordCount: parts.reduce((sum, { words }) => sum + words, 0),
    vector: roundVector(sumOfVectors(all), STEPS.chunk),
  };
}

/** The analysis of a text whose parts were analysed separately. */
export function sumOfAnalyzed(parts: AnalyzedChunk[]): AnalyzedChunk {
  return {
    words: sumOfCounts(parts.map(({ words }) => words)),
    grams: sumOfCounts(parts.map(({ grams }) => grams)),
    wordLength: parts.reduce((sum, { wordLength }) => sum + wordLength, 0),
    gramLength: parts.reduce((sum, { gramLength }) => sum + gramLength, 0),
  };
}

function sumOfCounts(parts: TermCounts[]): TermCounts {
  const sums = new Map(parts[0]);
  for (const counts of parts.slice(1)) {
    for (const [term, count] of counts) sums.set(term, (sums.get(term) ?? 0) + count);
  }
  return sums;
}

function sumOfVectors(parts: Part[]): Float64Array {
  const sums = new Float64Array(parts[0]?.vector.length ?? 0);
  for (const { vector } of parts) for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (vector[i] ?? 0);
  const length = Math.hypot(...sums);
  return sums.map((value) => value / length);
}
