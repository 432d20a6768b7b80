import type { RankedChunk } from "../db/stored-json.ts";
import type { Language } from "../language/language.ts";
import { translateWords } from "../language/translate.ts";
import type { LexicalScores } from "../search-index/bm25.ts";
import type { EligibleBlock } from "../search-index/eligible.ts";
import { blockOf } from "../search-index/postings.ts";
import { sum } from "../sum.ts";
import type { Candidates } from "./candidates.ts";
import type { Question } from "./question.ts";

/** Part of the id of the bundled model, whose tokenizer and weights the constants below were fitted for. */
const BUNDLED_MODEL = "local/all-MiniLM-L6-v2";
/** The weight for other models, whose knowledge of languages is unknown. */
const FIXED_WEIGHT = 0.7;

const QUERY_FERTILITY = { mean: 1.5059, deviation: 0.4494, slope: -0.3452 };
const CORPUS_FERTILITY = { mean: 1.47, deviation: 0.323, slope: -0.7847 };
const INTERCEPT = -0.1;
const DEVIATIONS_MAX = 3;

/** How fast the keyword score saturates: at half of the terms' weight, which a good chunk has, it is 0.83. */
const LEXICAL_STEEPNESS = 3.5;

/** How much less scores count in a language into which all words of the question were translated. */
const TRANSLATION_DOUBT = 0.35;

/** The weights of cosine and keyword score in the score of a chunk; together at most 1. */
interface ScoreWeights {
  vector: number;
  lexical: number;
}
const LEXICAL_ALONE: ScoreWeights = { vector: 0, lexical: 1 };

/** A candidate with the parts of its score. */
export interface FusedCandidate extends Omit<RankedChunk, "id" | "fusedScore" | "fusedRank"> {
  ordinal: number;
  /** The weight of the cosine in the score. */
  weight: number;
}

/** Scores the candidates of both searches. Returns them best first, equal scores by ordinal. */
export function fuseCandidates(
  { near, lexical, lexicalOnly }: Pick<Candidates, "near" | "lexical" | "lexicalOnly">,
  scores: LexicalScores,
  weights: ReadonlyMap<number, ScoreWeights>,
): FusedCandidate[] {
  // one map and one object for each candidate: this runs hundreds of times for each question
  const fused = new Map<number, FusedCandidate>();
  function add(ordinal: number, cosine: number, vectorRank: number | null): FusedCandidate {
    const [lexical, own] = [scores.score(ordinal), weights.get(blockOf(ordinal)) ?? LEXICAL_ALONE];
    const score = fuse({ cosine, lexical }, own);
    const candidate = { ordinal, weight: own.vector, score, cosine, lexical, vectorRank, lexicalRank: null };
    fused.set(ordinal, candidate);
    return candidate;
  }
  for (const [index, { ordinal, cosine }] of near.entries()) add(ordinal, cosine, index + 1);
  for (const { ordinal, cosine } of lexicalOnly) add(ordinal, cosine, null);
  for (const [index, ordinal] of lexical.entries())
    (fused.get(ordinal) ?? add(ordinal, 0, null)).lexicalRank = index + 1;
  return [...fused.values()].sort(byScore);
}

/** Best first, equal scores by ordinal. */
export function byScore(a: FusedCandidate, b: FusedCandidate): number {
  return b.score - a.score || a.ordinal - b.ordinal;
}

/**
 * The score of a chunk, 0 to 1: a convex combination of cosine and keyword score, which keeps more than ranks do
 * (Bruch, Gai and Ingber 2022). A fixed curve brings the keyword score to the cosine's scale, never the best score of
 * the question, so that no chunk's score depends on the other chunks and a threshold means the same for every question.
 */
export function fuse({ cosine, lexical }: { cosine: number; lexical: number }, weights: ScoreWeights): number {
  const score = weights.vector * Math.max(0, cosine) + weights.lexical * (1 - Math.exp(-LEXICAL_STEEPNESS * lexical));
  return Math.min(1, Math.max(0, score));
}

/**
 * The weights of both scores in each block, by the block's language.
 * @param search.model null when no vectors were compared
 * @param search.isGlossed whether English chunks were compared with the question in English
 * @param search.fixed the weight of the cosine that the company has chosen instead
 */
export function scoreWeights(
  blocks: readonly EligibleBlock[],
  search: {
    model: string | null;
    question: Pick<Question, "language" | "words" | "fertility" | "english">;
    isGlossed: boolean;
    fixed?: number | undefined;
  },
): Map<number, ScoreWeights> {
  return new Map(
    [...Map.groupBy(blocks, ({ language }) => language)].flatMap(([language, members]) => {
      const isGlossed = search.isGlossed && language === "en";
      const vector = vectorWeight(members, isGlossed, search);
      const trust = trustIn(search.question, language);
      const weights = { vector: isGlossed ? vector * trust : vector, lexical: (1 - vector) * trust };
      return members.map(({ block }) => [block, weights] as const);
    }),
  );
}

/** The weight of the cosine in the blocks of one language; 0 without a vector. */
function vectorWeight(
  blocks: readonly EligibleBlock[],
  isGlossed: boolean,
  { model, question, fixed }: Omit<Parameters<typeof scoreWeights>[1], "isGlossed">,
): number {
  if (model === null) return 0;
  if (fixed !== undefined) return fixed;
  const words = sum(blocks.map(({ rawWordTotal }) => rawWordTotal));
  if (words === 0) return 1;
  const { fertility } = (isGlossed && question.english) || question;
  const corpusFertility = sum(blocks.map(({ pieceTotal }) => pieceTotal)) / words;
  return fusionWeight({ model, queryFertility: fertility, corpusFertility });
}

/** How far translations of the question into a language count, 0 to 1: they are weaker evidence than its own words. */
function trustIn({ language, words }: Pick<Question, "language" | "words">, other: Language | null): number {
  const translations = [...translateWords(words, language, other).values()];
  const translated = translations.filter(({ length }) => length > 0).length;
  return 1 - TRANSLATION_DOUBT * (translated / Math.max(1, translations.length));
}

/**
 * The weight of the cosine against the keyword score, 0 to 1. Fertility, wordpieces per word of the embedding model's
 * tokenizer, measures how well the model knows the words: about 1.2 in its own language and domain, 2 and more in a
 * language that it was not trained on, where the words themselves must decide.
 */
export function fusionWeight(input: { model: string; queryFertility: number; corpusFertility: number }): number {
  if (!isBundledModel(input.model)) return FIXED_WEIGHT;
  const logit =
    INTERCEPT +
    QUERY_FERTILITY.slope * standardise(input.queryFertility, QUERY_FERTILITY) +
    CORPUS_FERTILITY.slope * standardise(input.corpusFertility, CORPUS_FERTILITY);
  return 1 / (1 + Math.exp(-logit));
}

/** Whether a model, by its name, gives the vectors that the constants of ranking were fitted for. */
export function isBundledModel(model: string): boolean {
  return model.includes(BUNDLED_MODEL);
}

function standardise(value: number, { mean, deviation }: { mean: number; deviation: number }): number {
  return Math.min(DEVIATIONS_MAX, Math.max(-DEVIATIONS_MAX, (value - mean) / deviation));
}
