import type { LexicalScores } from "../search-index/bm25.ts";
import { type Eligible, eligibleOf } from "../search-index/eligible.ts";
import type { QuestionEmbedding } from "./embed.ts";
import type { IndexReader } from "./index-reader.ts";
import { scoreByWords } from "./lexical-search.ts";
import type { NearChunk } from "./queries.ts";
import type { QuestionWords } from "./question.ts";
import { MAX_LIMIT } from "./schema.ts";
import type { Stopwatch } from "./stopwatch.ts";

/**
 * How many candidates each search gives. While these hold fewer distinct texts than any request may ask for, both are
 * widened. The rule ignores the request's own `limit`, so a higher limit only appends results.
 */
export const VECTOR_CANDIDATES = 300;
const LEXICAL_CANDIDATES = 200;
const WIDEN_FACTOR = 4;

interface CandidateSearch {
  question: QuestionWords;
  eligible: Eligible;
}

/** The union of what the vector search and the keyword search propose. */
export interface Candidates {
  /** Chunks of the vector search, nearest first. */
  near: NearChunk[];
  /** Ordinals of the keyword search, best first. */
  lexical: number[];
  /** Cosines of the chunks that only the keyword search proposes. */
  lexicalOnly: NearChunk[];
  /** A hash of each candidate's text, by ordinal. */
  texts: Map<number, number>;
}

/** The vectors of a question; null or a promise of null: keywords alone decide. */
export interface QuestionVectors {
  own: Promise<QuestionEmbedding | null>;
  /** Word by word in English; null when it is English, or the model knows other languages. */
  english: (() => Promise<QuestionEmbedding | null>) | null;
}

/** Chunks that are compared with one vector. */
interface VectorSearch {
  query: QuestionEmbedding | null;
  eligible: Eligible;
}

/**
 * Finds the candidates of both searches. The keywords are looked up while the question is embedded, and scored while
 * the database compares vectors.
 */
export async function findCandidates(
  reader: IndexReader,
  { question, eligible }: CandidateSearch,
  embeddings: QuestionVectors,
  watch: Stopwatch,
): Promise<{ candidates: Candidates; scores: LexicalScores; model: string | null; isGlossed: boolean }> {
  async function nearestTo(searches: VectorSearch[], reach: number): Promise<NearChunk[]> {
    const search = { count: VECTOR_CANDIDATES * reach, sizes: reader.sizes };
    return watch.time("vector", async () => {
      const near = await Promise.all(
        searches.map(({ query, eligible }) => (query ? reader.nearest({ query, eligible, ...search }) : [])),
      );
      return near.flat().sort(byCosine).slice(0, search.count);
    });
  }
  async function searchVectors() {
    const searches = await vectorSearchesFor(eligible, embeddings);
    return { searches, near: await nearestTo(searches, 1) };
  }
  const [scores, { searches, near }] = await Promise.all([
    watch.time("lexical", () => scoreByWords(reader, { question, eligible })),
    searchVectors(),
  ]);
  let reach = 1;
  let candidates = await unite(reader, searches, { near, lexical: scores.top(LEXICAL_CANDIDATES) }, watch);
  while (needsMore(candidates, reach, eligible.count)) {
    reach *= WIDEN_FACTOR;
    const wider = { near: await nearestTo(searches, reach), lexical: scores.top(LEXICAL_CANDIDATES * reach) };
    candidates = await unite(reader, searches, wider, watch);
  }
  return { candidates, scores, model: searches[0]?.query?.model.name ?? null, isGlossed: searches.length > 1 };
}

/** One search for all chunks, or one for those in English and one for the others. */
async function vectorSearchesFor(eligible: Eligible, { own, english }: QuestionVectors): Promise<VectorSearch[]> {
  const { true: inEnglish = [], false: others = [] } = Object.groupBy(eligible.blocks, ({ language }) =>
    language === "en" ? "true" : "false",
  );
  const [query, gloss] = await Promise.all([own, inEnglish.length > 0 ? english?.() : null]);
  if (!gloss) return [{ query, eligible }];
  return [
    { query, eligible: eligibleOf(others) },
    { query: gloss, eligible: eligibleOf(inEnglish) },
  ];
}

function byCosine(a: NearChunk, b: NearChunk): number {
  return b.cosine - a.cosine || a.ordinal - b.ordinal;
}

function unite(
  reader: IndexReader,
  searches: VectorSearch[],
  { near, lexical }: Pick<Candidates, "near" | "lexical">,
  watch: Stopwatch,
): Promise<Candidates> {
  const known = new Set(near.map(({ ordinal }) => ordinal));
  const unknown = lexical.filter((ordinal) => !known.has(ordinal));
  return watch.time("vector", async () => {
    const [lexicalOnly, texts] = await Promise.all([
      Promise.all(
        searches.map(({ query, eligible }) => (query ? reader.cosines(query, unknown.filter(eligible.has)) : [])),
      ),
      reader.texts([...known, ...unknown]),
    ]);
    return { near, lexical, lexicalOnly: lexicalOnly.flat(), texts };
  });
}

/** Whether to widen both searches; never once the shorter one was asked for more chunks than are eligible. */
function needsMore({ near, lexical, texts }: Candidates, reach: number, eligible: number): boolean {
  const isEitherFull = near.length === VECTOR_CANDIDATES * reach || lexical.length === LEXICAL_CANDIDATES * reach;
  const canWiden = isEitherFull && texts.size < eligible && LEXICAL_CANDIDATES * reach <= eligible;
  return canWiden && new Set(texts.values()).size < MAX_LIMIT;
}
