/** What the id of the bundled model holds; its tokenizer and weights are what the constants below were fitted for. */
const BUNDLED_MODEL = "local/all-MiniLM-L6-v2";
/** For a model whose reading of other languages is not known. */
const FIXED_WEIGHT = 0.7;

const QUERY_FERTILITY = { mean: 1.5059, deviation: 0.4494, slope: -0.3452 };
const CORPUS_FERTILITY = { mean: 1.47, deviation: 0.323, slope: -0.7847 };
const INTERCEPT = -0.1;
const DEVIATIONS_MAX = 3;

/** How soon lexical agreement counts as full: half of the terms' weight, about what a good chunk has, gives .83. */
const LEXICAL_STEEPNESS = 3.5;

/**
 * How much the cosine counts against the lexical score, from 0 to 1. Fertility, wordpieces per word of the embedding
 * model's tokenizer, tells how well the model knows the words: about 1.2 in its own language and domain, 2 and more in
 * a language that it was not trained on, where the words themselves must decide.
 */
export function fusionWeight(input: { model: string; queryFertility: number; corpusFertility: number }): number {
  if (!input.model.includes(BUNDLED_MODEL)) return FIXED_WEIGHT;
  const logit =
    INTERCEPT +
    QUERY_FERTILITY.slope * standardise(input.queryFertility, QUERY_FERTILITY) +
    CORPUS_FERTILITY.slope * standardise(input.corpusFertility, CORPUS_FERTILITY);
  return 1 / (1 + Math.exp(-logit));
}

/**
 * The score of a chunk, 0 to 1: a convex combination of cosine and lexical score, which keeps more than ranks do
 * (Bruch, Gai and Ingber 2022). The lexical score is brought to the cosine's scale by a fixed curve and never by the
 * best score of the question, so that no chunk's score depends on which others there are, and a threshold means the
 * same for every question.
 */
export function fuse(candidate: { cosine: number; lexical: number; weight: number }): number {
  const { cosine, lexical, weight } = candidate;
  const score = weight * Math.max(0, cosine) + (1 - weight) * (1 - Math.exp(-LEXICAL_STEEPNESS * lexical));
  return Math.min(1, Math.max(0, score));
}

function standardise(value: number, { mean, deviation }: { mean: number; deviation: number }): number {
  return Math.min(DEVIATIONS_MAX, Math.max(-DEVIATIONS_MAX, (value - mean) / deviation));
}
