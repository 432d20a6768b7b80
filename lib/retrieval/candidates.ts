import type { Transaction } from "../db/client.ts";
import { vectorLiteral } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { LexicalScores } from "../search-index/bm25.ts";
import type { Eligible } from "../search-index/eligible.ts";
import type { QuestionEmbedding } from "./embed.ts";
import { scoreByWords } from "./lexical-search.ts";
import { cosinesOf, type NearChunk } from "./queries.ts";
import { MAX_LIMIT } from "./schema.ts";
import type { Stopwatch } from "./stopwatch.ts";
import { textsOf } from "./texts.ts";
import { nearest, type Sizes } from "./vector-search.ts";

/**
 * How many candidates each leg gives. While these hold fewer distinct texts than any request may ask for, both legs are
 * widened. The rule ignores the request's own `limit`, so a higher limit only appends results.
 */
export const VECTOR_CANDIDATES = 300;
const LEXICAL_CANDIDATES = 200;
const WIDEN_FACTOR = 4;

interface CandidateSearch extends Sizes {
  companyId: CompanyId;
  /** The content words of the question. */
  words: string[];
  eligible: Eligible;
}

/** A question as a vector of the company's model. */
interface VectorQuery {
  model: QuestionEmbedding["model"];
  /** A vector literal of unit length. */
  vector: string;
}

/** The union of what the vector leg and the lexical leg propose. */
export interface Candidates {
  /** Chunks of the vector leg, nearest first. */
  near: NearChunk[];
  /** Ordinals of the lexical leg, best first. */
  lexical: number[];
  /** Cosines of the chunks that only the lexical leg proposes. */
  lexicalOnly: NearChunk[];
  /** A hash of each candidate's text, by ordinal. */
  texts: Map<number, number>;
}

/**
 * Finds the candidates of both legs. The keywords are looked up while the question is embedded, and scored while the
 * database compares vectors.
 */
export async function findCandidates(
  tx: Transaction,
  search: CandidateSearch,
  embedding: Promise<QuestionEmbedding | null>,
  watch: Stopwatch,
): Promise<{ candidates: Candidates; scores: LexicalScores; model: string | null }> {
  const [scores, { query, near }] = await Promise.all([
    watch.time("lexical", () => scoreByWords(tx, search)),
    startVectorLeg(tx, search, embedding, watch),
  ]);
  let reach = 1;
  let candidates = await unite(tx, search, query, { near, lexical: scores.top(LEXICAL_CANDIDATES) }, watch);
  while (needsMore(candidates, reach, search.eligible.count)) {
    reach *= WIDEN_FACTOR;
    const wider = {
      near: await nearestTo(tx, search, query, reach, watch),
      lexical: scores.top(LEXICAL_CANDIDATES * reach),
    };
    candidates = await unite(tx, search, query, wider, watch);
  }
  return { candidates, scores, model: query?.model.name ?? null };
}

async function startVectorLeg(
  tx: Transaction,
  search: CandidateSearch,
  embedding: Promise<QuestionEmbedding | null>,
  watch: Stopwatch,
) {
  const embedded = await embedding;
  const query = embedded && { model: embedded.model, vector: vectorLiteral(embedded.vector) };
  return { query, near: await nearestTo(tx, search, query, 1, watch) };
}

function nearestTo(
  tx: Transaction,
  search: CandidateSearch,
  query: VectorQuery | null,
  reach: number,
  watch: Stopwatch,
): Promise<NearChunk[]> {
  const count = VECTOR_CANDIDATES * reach;
  return watch.time("vector", async () => (query ? nearest(tx, { ...search, ...query, count }) : []));
}

function unite(
  tx: Transaction,
  { companyId }: CandidateSearch,
  query: VectorQuery | null,
  { near, lexical }: Pick<Candidates, "near" | "lexical">,
  watch: Stopwatch,
): Promise<Candidates> {
  const known = new Set(near.map(({ ordinal }) => ordinal));
  const unknown = lexical.filter((ordinal) => !known.has(ordinal));
  return watch.time("vector", async () => {
    const [lexicalOnly, texts] = await Promise.all([
      query ? cosinesOf(tx, { companyId, ...query, ordinals: unknown }) : [],
      textsOf(tx, { companyId, ordinals: [...known, ...unknown] }),
    ]);
    return { near, lexical, lexicalOnly, texts };
  });
}

/** Whether to widen the legs; never once the shorter one was asked for more chunks than are eligible. */
function needsMore({ near, lexical, texts }: Candidates, reach: number, eligible: number): boolean {
  const isEitherFull = near.length === VECTOR_CANDIDATES * reach || lexical.length === LEXICAL_CANDIDATES * reach;
  const canWiden = isEitherFull && texts.size < eligible && LEXICAL_CANDIDATES * reach <= eligible;
  return canWiden && new Set(texts.values()).size < MAX_LIMIT;
}
