import type { RetrievalTrace } from "@/lib/db/stored-json.ts";

/** Data about a retrieval, from a playground run or from the log. */
export interface TraceData {
  trace: RetrievalTrace;
  /** Milliseconds per stage. */
  stages: Record<string, number>;
  useRerank: boolean;
  scoreThreshold: number;
  total: number;
}

export interface Stage {
  name: string;
  words: string;
  ms: number;
  /** Milliseconds from the start of the retrieval to the start of the stage. */
  startMs: number;
  /** Number of candidates; null for stages without candidates. */
  into: number | null;
  out: number | null;
}

const WORDS: [name: string, words: string][] = [
  ["complete", "Complete question"],
  ["embed", "Embed question"],
  ["blocks", "Load index"],
  ["filter", "Apply filters"],
  ["lexical", "Keyword search"],
  ["vector", "Vector search"],
  ["fuse", "Combine"],
  ["hydrate", "Load chunks"],
  ["rerank", "Rerank"],
  ["verified", "Compare verified answers"],
  ["answer", "Write answer"],
];

/** Lists the stages in order, with their start times and their numbers of candidates in and out. */
export function stagesOf({ trace, stages, total }: TraceData): Stage[] {
  const counts = countsOf(trace, total);
  let endMs = 0;
  return WORDS.flatMap(([name, words]) => {
    const ms = stages[name];
    if (ms === undefined) return [];
    const [into, out] = counts[name] ?? [null, null];
    const startMs = trace.starts?.[name] ?? endMs;
    endMs = startMs + ms;
    return [{ name, words, ms, startMs, into, out }];
  });
}

function countsOf(trace: RetrievalTrace, total: number): Record<string, [into: number | null, out: number | null]> {
  const { live, eligible, lexicalCandidates, vectorCandidates, fused, read, reranked } = trace;
  return {
    blocks: [null, live],
    filter: [live, eligible],
    lexical: [eligible, lexicalCandidates],
    vector: [eligible, vectorCandidates],
    fuse: [lexicalCandidates + vectorCandidates, fused],
    hydrate: [fused, read],
    rerank: [read, reranked ?? null],
    answer: [total, null],
  };
}
