import { randomUUID } from "node:crypto";
import { requireAdmin } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { type Accepted, acceptSources } from "../knowledge/intake/accept.ts";
import type { SubmittedSource } from "../knowledge/intake/plan-acceptance.ts";
import { MAX_LIMIT, retrieveRequest } from "../retrieval/schema.ts";
import { retrieve } from "../retrieval/service.ts";
import { type EvalSet, mrrAt, ndcgAt, recallAt } from "./metrics.ts";

const CONFIGURATIONS = [
  { config: "hybrid", useRerank: false },
  { config: "hybrid+rerank", useRerank: true },
] as const;

export interface Measurement {
  config: (typeof CONFIGURATIONS)[number]["config"];
  queries: number;
  ndcg10: number;
  recall100: number;
  mrr10: number;
  /** Milliseconds of one retrieval, including the embedding of the question. */
  p50Ms: number;
  p95Ms: number;
}

interface EvaluateOptions {
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** Adds a set's documents through normal ingestion. Each keeps its own identifier, and a missing title stays empty. */
export async function acceptCorpus(
  scope: TenantScope,
  actor: Actor,
  documents: EvalSet["documents"],
): Promise<Accepted[]> {
  requireAdmin(scope, actor);
  const submitted = documents.map(
    ({ id, title, text }): SubmittedSource => ({
      sourceId: id,
      sourceType: "document",
      title,
      audience: null,
      contentCategory: null,
      path: null,
      metadata: null,
      body: { kind: "text", content: text },
    }),
  );
  return acceptSources(scope, actor, submitted);
}

/** Runs the questions of a set through retrieval, as the API would, once per configuration. The documents must be ready. */
export async function evaluate(
  scope: TenantScope,
  actor: Actor,
  set: EvalSet,
  options: EvaluateOptions = {},
): Promise<Measurement[]> {
  requireAdmin(scope, actor);
  // question vectors are cached, so without this the second configuration would look faster than it is
  const embedMs = new Map<string, number>();
  const total = CONFIGURATIONS.length * set.queries.length;
  const measurements: Measurement[] = [];
  for (const [round, { config, useRerank }] of CONFIGURATIONS.entries()) {
    const runs: Run[] = [];
    for (const query of set.queries) {
      options.signal?.throwIfAborted();
      runs.push(await ask(scope, query, useRerank, embedMs));
      options.onProgress?.(round * set.queries.length + runs.length, total);
    }
    measurements.push({ config, ...summarise(runs, set) });
  }
  return measurements;
}

interface Run {
  queryId: string;
  /** Document ids, ordered by the best chunk of each. */
  ranked: string[];
  ms: number;
}

async function ask(
  scope: TenantScope,
  { id, text }: EvalSet["queries"][number],
  useRerank: boolean,
  embedMs: Map<string, number>,
): Promise<Run> {
  const request = retrieveRequest.parse({ queryText: text, limit: MAX_LIMIT, useRerank });
  const started = performance.now();
  const { response, stages } = await retrieve(scope, request, { requestId: randomUUID(), origin: "cli" });
  const own = stages.embed ?? 0;
  const first = embedMs.get(id) ?? own;
  embedMs.set(id, first);
  return {
    queryId: id,
    ranked: [...new Set(response.results.map(({ payload }) => payload.sourceId))],
    ms: performance.now() - started - own + first,
  };
}

function summarise(runs: Run[], { qrels }: EvalSet): Omit<Measurement, "config"> {
  const mean = (metric: typeof ndcgAt, k: number) =>
    runs.reduce((sum, { queryId, ranked }) => sum + metric(k, ranked, qrels.get(queryId) ?? new Map()), 0) /
    runs.length;
  const times = runs.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    queries: runs.length,
    ndcg10: rounded(mean(ndcgAt, 10), 4),
    recall100: rounded(mean(recallAt, 100), 4),
    mrr10: rounded(mean(mrrAt, 10), 4),
    p50Ms: rounded(nearestRank(times, 0.5), 1),
    p95Ms: rounded(nearestRank(times, 0.95), 1),
  };
}

/** The nearest-rank percentile of ascending numbers. */
function nearestRank(ascending: number[], share: number): number {
  return ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? 0;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
