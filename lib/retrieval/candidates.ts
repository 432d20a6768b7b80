import type { LexicalScores } from "../search-index/bm25.ts";
import type { Eligible } from "../search-index/eligible.ts";
import type { QuestionEmbedding } from "./embed.ts";
import type { IndexReader } from "./index-reader.ts";
import { scoreByWords } from "./lexical-search.ts";
import type { NearChunk } from "./queries.ts";
import { MAX_LIMIT } from "./schema.ts";
import type { Stopwatch } from "./stopwatch.ts";

/**
 * How many candidates each leg gives. While these hold fewer distinct texts than any request may ask for, both legs are
 * widened. The rule ignores the request's own `limit`, so a higher limit only appends results.
 */
export const VECTOR_CANDIDATES = 300;
const LEXICAL_CANDIDATES = 200;
const WIDEN_FACTOR = 4;

interface CandidateSearch {
  /** The content words of the question. */
  words: string[];
  eligible: Eligible;
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
  reader: IndexReader,
  { words, eligible }: CandidateSearch,
  embedding: Promise<QuestionEmbedding | null>,
  watch: Stopwatch,
): Promise<{ candidates: Candidates; scores: LexicalScores; model: string | null }> {
  async function nearestTo(query: QuestionEmbedding | null, reach: number): Promise<NearChunk[]> {
    const search = { count: VECTOR_CANDIDATES * reach, eligible, sizes: reader.sizes };
    return watch.time("vector", async () => (query ? reader.nearest({ query, ...search }) : []));
  }
  async function vectorLeg() {
    const query = await embedding;
    return { query, near: await nearestTo(query, 1) };
  }
  const [scores, { query, near }] = await Promise.all([
    watch.time("lexical", () => scoreByWords(reader, { words, eligible })),
    vectorLeg(),
  ]);
  let reach = 1;
  let candidates = await unite(reader, query, { near, lexical: scores.top(LEXICAL_CANDIDATES) }, watch);
  while (needsMore(candidates, reach, eligible.count)) {
    reach *= WIDEN_FACTOR;
    const wider = { near: await nearestTo(query, reach), lexical: scores.top(LEXICAL_CANDIDATES * reach) };
    candidates = await unite(reader, query, wider, watch);
  }
  return { candidates, scores, model: query?.model.name ?? null };
}

function unite(
  reader: IndexReader,
  query: QuestionEmbedding | null,
  { near, lexical }: Pick<Candidates, "near" | "lexical">,
  watch: Stopwatch,
): Promise<Candidates> {
  const known = new Set(near.map(({ ordinal }) => ordinal));
  const unknown = lexical.filter((ordinal) => !known.has(ordinal));
  return watch.time("vector", async () => {
    const [lexicalOnly, texts] = await Promise.all([
      query ? reader.cosines(query, unknown) : [],
      reader.texts([...known, ...unknown]),
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
