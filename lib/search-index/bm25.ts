import type { Language } from "../language/function-words.ts";
import { sum } from "../sum.ts";
import type { LexicalQuery, Synonyms } from "./analyze.ts";
import {
  blockOf,
  isLive,
  LENGTH_OF_CODE,
  lengthCodeIn,
  ordinalOf,
  POSTING_BYTES,
  type PostingList,
  SLOTS_PER_BLOCK,
  slotIn,
  slotOf,
  tfIn,
  withMore,
} from "./postings.ts";

const K1 = 0.9;
const B = 0.6;
const SCORE_BINS = 4096;

/** A block of the index: its language, its live slots, and totals over the live chunks. */
export interface LexicalBlock {
  block: number;
  language: Language | null;
  live: Uint8Array;
  liveCount: number;
  wordTotal: number;
  gramTotal: number;
}

export interface LexicalScores {
  /** From 0 (nothing in common, or not live) to below 1. */
  score(ordinal: number): number;
  /** Ordinals with a score above 0, best first, ties by ordinal, starting at `offset`. */
  top(count: number, offset?: number): number[];
}

/** The scores of one block in the array of all scores, and the slots that count. */
interface Segment {
  start: number;
  live: Uint8Array;
}

interface LiveList {
  start: number;
  postings: Uint32Array;
}

interface WeightedTerm {
  lists: LiveList[];
  weight: number;
}

/** The terms whose posting lists a question needs. */
export function neededTerms(query: LexicalQuery): number[] {
  return [...query.values()].flatMap(({ words, grams }) => [...words.flat(), ...grams.flat()]);
}

/**
 * Scores every live chunk against a question: BM25 (Robertson and Zaragoza 2009, with Lucene's idf) over words and
 * over character 4-grams, each divided by the idf sum of all question terms, including terms that no chunk has. The two
 * are weighted by the square of the share of the question's idf that each part knows, so that grams decide when words
 * are misspelt, compounded or in another language.
 *
 * Each language has its own index, with its own chunk count, document frequencies and mean length. All of them count
 * live slots only, so superseded chunks do not change any score.
 */
export function scoreLexical(blocks: LexicalBlock[], lists: PostingList[], query: LexicalQuery): LexicalScores {
  const sorted = blocks.toSorted((a, b) => a.block - b.block);
  const segments = new Map(sorted.map(({ block, live }, i) => [block, { start: i * SLOTS_PER_BLOCK, live }]));
  const scores = new Float64Array(sorted.length * SLOTS_PER_BLOCK);
  const listsOfTerm = Map.groupBy(lists, ({ term }) => term);

  for (const [language, members] of Map.groupBy(sorted, (block) => block.language)) {
    const terms = query.get(language);
    const chunkCount = sum(members.map((block) => block.liveCount));
    if (terms === undefined || chunkCount === 0) continue;
    const words = weighTerms(terms.words, listsOfTerm, segments, chunkCount);
    const grams = weighTerms(terms.grams, listsOfTerm, segments, chunkCount);
    const trust = words.known ** 2 + grams.known ** 2;
    if (trust === 0) continue;
    const meanWords = sum(members.map((block) => block.wordTotal)) / chunkCount;
    const meanGrams = sum(members.map((block) => block.gramTotal)) / chunkCount;
    addPart(scores, words.terms, words.known ** 2 / trust, lengthNorms(meanWords));
    addPart(scores, grams.terms, grams.known ** 2 / trust, lengthNorms(meanGrams));
  }

  return {
    score(ordinal) {
      const start = segments.get(blockOf(ordinal))?.start;
      return start === undefined ? 0 : (scores[start + slotOf(ordinal)] ?? 0);
    },
    top(count, offset = 0) {
      const best = topIndexes(scores, offset + count).slice(offset);
      return best.map((i) => ordinalOf(sorted[blockOf(i)]?.block ?? 0, slotOf(i)));
    },
  };
}

/** The terms of one part that occur in a live chunk, each weighted by its share of the idf sum, and the total of these shares. */
function weighTerms(
  groups: readonly Synonyms[],
  listsOfTerm: Map<number, PostingList[]>,
  segments: Map<number, Segment>,
  chunkCount: number,
): { terms: WeightedTerm[]; known: number } {
  const found = groups.map((synonyms) => synonyms.flatMap((term) => listsOfTerm.get(term) ?? []));
  // one aligned array for all lists, because the bytes from the database may be unaligned
  const bytes = new Uint8Array(sum(found.flat().map(({ postings }) => postings.length)));
  let start = 0;
  const terms = found.map((stored, index) => {
    const own = stored.flatMap((list) => {
      const packed = new Uint32Array(bytes.buffer, start, list.postings.length / POSTING_BYTES);
      bytes.set(list.postings, start);
      start += list.postings.length;
      return livePostings(packed, segments.get(list.block)) ?? [];
    });
    const lists = (groups[index]?.length ?? 0) > 1 ? mergeSynonyms(own) : own;
    const matches = sum(lists.map(({ postings }) => postings.length));
    return { lists, matches, idf: Math.log(1 + (chunkCount - matches + 0.5) / (matches + 0.5)) };
  });
  const total = sum(terms.map(({ idf }) => idf));
  const known = terms.filter(({ matches }) => matches > 0).map(({ lists, idf }) => ({ lists, weight: idf / total }));
  return { terms: known, known: sum(known.map(({ weight }) => weight)) };
}

/** Keeps the live ones of a list's postings, in the same array. */
function livePostings(packed: Uint32Array, segment: Segment | undefined): LiveList | undefined {
  if (segment === undefined) return undefined;
  let count = 0;
  for (let i = 0; i < packed.length; i++) {
    const posting = packed[i] ?? 0;
    if (isLive(segment.live, slotIn(posting))) packed[count++] = posting;
  }
  return { start: segment.start, postings: packed.subarray(0, count) };
}

/** One list for each block, as if all terms were one: a chunk has the sum of their frequencies. */
function mergeSynonyms(lists: LiveList[]): LiveList[] {
  return [...Map.groupBy(lists, ({ start }) => start)].map(([start, members]) => {
    const bySlot = new Map<number, number>();
    for (const { postings } of members) {
      for (const posting of postings) {
        const known = bySlot.get(slotIn(posting));
        bySlot.set(slotIn(posting), known === undefined ? posting : withMore(known, tfIn(posting)));
      }
    }
    return { start, postings: Uint32Array.from(bySlot.values()) };
  });
}

/** The saturation term of BM25 for each length code: k1 · (1 − b + b · length / mean length). */
function lengthNorms(meanLength: number): Float64Array {
  return LENGTH_OF_CODE.map((length) => K1 * (1 - B + (B * length) / meanLength));
}

function addPart(scores: Float64Array, terms: WeightedTerm[], partWeight: number, norms: Float64Array): void {
  for (const { lists, weight } of terms) {
    for (const { start, postings } of lists) addPostings(scores, start, postings, norms, partWeight * weight);
  }
}

function addPostings(
  scores: Float64Array,
  start: number,
  postings: Uint32Array,
  norms: Float64Array,
  weight: number,
): void {
  for (let i = 0; i < postings.length; i++) {
    const posting = postings[i] ?? 0;
    const index = start + slotIn(posting);
    const tf = tfIn(posting);
    scores[index] = (scores[index] ?? 0) + (weight * tf) / (tf + (norms[lengthCodeIn(posting)] ?? K1));
  }
}

/** Indexes of the `count` highest scores above 0, best first. A histogram avoids sorting the rest. */
function topIndexes(scores: Float64Array, count: number): number[] {
  const bins = new Uint32Array(SCORE_BINS);
  const found: number[] = [];
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] ?? 0;
    if (score > 0) {
      found.push(i);
      const bin = binOf(score);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
  }
  let lowest = SCORE_BINS - 1;
  for (let seen = bins[lowest] ?? 0; seen < count && lowest > 0; seen += bins[lowest] ?? 0) lowest--;
  const best = found.filter((i) => binOf(scores[i] ?? 0) >= lowest);
  return best.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, count);
}

function binOf(score: number): number {
  return Math.min(SCORE_BINS - 1, Math.floor(score * SCORE_BINS));
}
