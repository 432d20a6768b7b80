import type { Transaction } from "../db/client.ts";
import { vectorLiteral } from "../db/sql.ts";
import type { RankedChunk } from "../db/stored-json.ts";
import type { CompanyId } from "../db/tenant.ts";
import { detectLanguage, type Language } from "../language/language.ts";
import { analyzeQuery } from "../search-index/analyze.ts";
import { type LexicalScores, scoreLexical, termsOf } from "../search-index/bm25.ts";
import { type Eligible, type EligibleBlock, eligibleChunks } from "../search-index/eligible.ts";
import type { EffectiveFilters } from "../search-index/passing-chunks.ts";
import { blockOf } from "../search-index/postings.ts";
import { readBlocks, readPostings } from "../search-index/read-index.ts";
import { fuse, fusionWeight } from "./fuse.ts";
import { cosinesOf, type Near } from "./queries.ts";
import type { Embedded, Question } from "./question.ts";
import { MAX_LIMIT } from "./schema.ts";
import type { Stopwatch } from "./stopwatch.ts";
import { textsOf } from "./texts.ts";
import { nearest, sizesOf } from "./vector-search.ts";

/**
 * Candidates of each leg. Where they hold fewer distinct texts than a request may ask for, both legs reach further: by a
 * rule that does not know the request's `limit`, which so changes nothing but where the list ends.
 */
export const VECTOR_CANDIDATES = 300;
const LEXICAL_CANDIDATES = 200;
const FURTHER = 4;

/** A chunk that either leg proposed, with all that its score is made of. */
export interface Candidate extends Omit<RankedChunk, "id" | "fusedScore" | "fusedRank"> {
  ordinal: number;
}

export interface SearchInput {
  companyId: CompanyId;
  question: Pick<Question, "text" | "fertility">;
  /** Null: the embedding model is unavailable, or made no vectors yet. */
  embedded: Promise<Embedded | null>;
  filters: EffectiveFilters | "nothing";
}

export interface Found {
  /** Of both legs, fused, best first; equal scores by ordinal. */
  candidates: Candidate[];
  /** By ordinal, a hash of each candidate's text. */
  texts: Map<number, number>;
  /** Chunks that the company has, and how many of them pass the filters. */
  live: number;
  eligible: number;
}

export async function search(tx: Transaction, input: SearchInput, watch: Stopwatch): Promise<Found> {
  const { companyId, filters } = input;
  if (filters === "nothing") return { candidates: [], texts: new Map(), live: 0, eligible: 0 };
  const rows = await watch.time("blocks", () => readBlocks(tx, companyId));
  const eligible = await watch.time("filter", () => eligibleChunks(tx, { companyId, filters, rows }));
  const sizes = sizesOf(rows);
  // side by side: words are looked up while the question is embedded, and scored while the database compares vectors
  const [scores, { embedded, query, nearestOf, first }] = await Promise.all([
    watch.time("lexical", () => lexicalScores(tx, companyId, input.question.text, eligible)),
    input.embedded.then(async (embedded) => {
      const query = embedded && { companyId, model: embedded.model, vector: vectorLiteral(embedded.vector) };
      const nearestOf = (count: number) =>
        watch.time("vector", async () => (query ? nearest(tx, { ...query, count, eligible, ...sizes }) : []));
      return { embedded, query, nearestOf, first: await nearestOf(VECTOR_CANDIDATES) };
    }),
  ]);
  const weights = languageWeights(eligible.blocks, embedded, input.question);

  let near = first;
  for (let reach = 1; ; reach *= FURTHER) {
    if (reach > 1) near = await nearestOf(VECTOR_CANDIDATES * reach);
    const lexical = scores.top(LEXICAL_CANDIDATES * reach);
    const known = new Set(near.map(({ ordinal }) => ordinal));
    const unknown = lexical.filter((ordinal) => !known.has(ordinal));
    const [others, texts] = await watch.time("vector", () =>
      Promise.all([
        query ? cosinesOf(tx, { ...query, ordinals: unknown }) : [],
        textsOf(tx, { companyId, ordinals: [...known, ...unknown] }),
      ]),
    );
    const candidates = watch.time("fuse", () => fused({ near, others, lexical, scores, weights }));
    const isAll = near.length < VECTOR_CANDIDATES * reach && lexical.length < LEXICAL_CANDIDATES * reach;
    if (isAll || candidates.length >= eligible.count || new Set(texts.values()).size >= MAX_LIMIT) {
      return { candidates, texts, live: sizes.live, eligible: eligible.count };
    }
  }
}

interface Legs {
  near: Near[];
  /** The cosines of what only the lexical leg proposed. */
  others: Near[];
  lexical: number[];
  scores: LexicalScores;
  weights: Map<number, number>;
}

/** What both legs proposed, best first. */
function fused({ near, others, lexical, scores, weights }: Legs): Candidate[] {
  const cosines = new Map([...near, ...others].map(({ ordinal, cosine }) => [ordinal, cosine]));
  const vectorRank = new Map(near.map(({ ordinal }, index) => [ordinal, index + 1]));
  const lexicalRank = new Map(lexical.map((ordinal, index) => [ordinal, index + 1]));
  return [...new Set([...cosines.keys(), ...lexicalRank.keys()])]
    .map((ordinal): Candidate => {
      const [cosine, lexicalScore] = [cosines.get(ordinal) ?? 0, scores.score(ordinal)];
      return {
        ordinal,
        score: fuse({ cosine, lexical: lexicalScore, weight: weights.get(blockOf(ordinal)) ?? 0 }),
        cosine,
        lexical: lexicalScore,
        vectorRank: vectorRank.get(ordinal) ?? null,
        lexicalRank: lexicalRank.get(ordinal) ?? null,
      };
    })
    .sort((a, b) => b.score - a.score || a.ordinal - b.ordinal);
}

/** Word statistics are those of the eligible chunks: what cannot be seen must not move a score. */
async function lexicalScores(tx: Transaction, companyId: CompanyId, queryText: string, { blocks }: Eligible) {
  const languages = new Set(blocks.map(({ language }) => language));
  const query = analyzeQuery(queryText, detectLanguage(queryText), languages);
  return scoreLexical(blocks, await readPostings(tx, { companyId, terms: termsOf(query) }), query);
}

/** By block, how much the cosine counts against the lexical score in its language; 0 without a vector. */
function languageWeights(
  blocks: EligibleBlock[],
  embedded: Embedded | null,
  question: SearchInput["question"],
): Map<number, number> {
  const corpus = new Map<Language | null, { pieces: number; words: number }>();
  for (const { language, pieceTotal, rawWordTotal } of blocks) {
    const sums = corpus.get(language) ?? { pieces: 0, words: 0 };
    corpus.set(language, { pieces: sums.pieces + pieceTotal, words: sums.words + rawWordTotal });
  }
  return new Map(
    blocks.map(({ block, language }) => {
      const { pieces, words } = corpus.get(language) ?? { pieces: 0, words: 0 };
      if (!embedded || words === 0) return [block, embedded ? 1 : 0];
      const corpusFertility = pieces / words;
      return [block, fusionWeight({ model: embedded.model.name, queryFertility: question.fertility, corpusFertility })];
    }),
  );
}
