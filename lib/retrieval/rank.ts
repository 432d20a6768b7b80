import { embedder, remoteReranker } from "../ai/models.ts";
import type { Transaction } from "../db/client.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { log } from "../log.ts";
import { type CompanyTurns, companyTurns } from "./company-turns.ts";
import { readChunks, servingModel } from "./queries.ts";
import { embeddedFor, prepareQuestion } from "./question.ts";
import { rerank } from "./rerank.ts";
import { type Hit, inOrder, withoutRepeats } from "./results.ts";
import { type Found, type SearchInput, search } from "./search.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** How many of the fused candidates a reranker reads. */
export const RERANKED = 50;

/** Searches that one company runs at a time: enough to keep the model and the database busy. */
const AT_ONCE = { embedded: 2, server: 4 };

// on globalThis, because a bundled server may hold this module more than once
const holder = globalThis as typeof globalThis & { ragstoneSearchTurns?: CompanyTurns };

/** What went on without: named in a header and in the log. */
export type Degraded = "embedding" | "generation" | "rerank";

export interface RankingInput {
  queryText: string;
  filters: SearchInput["filters"];
  useRerank: boolean;
  /** At least as many distinct chunks are read, when there are. */
  wanted: number;
}

export interface Ranking extends Found {
  /** The candidates that were read, distinct, in the order of their fused scores. */
  hits: Hit[];
  /** The same, by the scores that count. */
  ranked: Hit[];
  /** The model whose vectors were compared. */
  model: string | null;
}

interface Way {
  watch: Stopwatch;
  /** Gets what it had to do without. */
  degraded: Degraded[];
  signal?: AbortSignal | undefined;
}

/** Question → candidates of both legs → fused → read → reranked: a retrieval before threshold and limit. */
export async function rankChunks(scope: TenantScope, input: RankingInput, way: Way): Promise<Ranking> {
  const { queryText, useRerank } = input;
  const found = await inTurn(scope, way.signal, () => find(scope, input, way));
  if (!useRerank) return { ...found, ranked: found.hits };
  return { ...found, ranked: await way.watch.time("rerank", () => reranked(queryText, found.hits, way)) };
}

async function find(scope: TenantScope, input: RankingInput, { watch, degraded, signal }: Way) {
  const { queryText, filters, useRerank, wanted } = input;
  const from = { companyId: scope.companyId, signal };
  const question = await watch.time("embed", () => prepareQuestion(queryText, from));
  void watch.time("embed", () => question.embedded);
  return scope.snapshot(async (tx) => {
    const serving = await servingModel(tx, scope.companyId);
    const embedded = embeddedFor(question, serving, from);
    embedded.catch(() => undefined);
    const proposed = await search(tx, { companyId: scope.companyId, question, embedded, filters }, watch);
    const count = useRerank ? Math.max(wanted, RERANKED) : wanted;
    const hits = await watch.time("hydrate", () => hydrate(tx, scope, proposed, count));
    if (!(await embedded) && (serving || !(await question.embedded))) degraded.push("embedding");
    return { ...proposed, hits, model: serving?.name ?? null };
  });
}

/** Limits the searches of a company, because all companies share the local model's thread and the embedded database's session. */
async function inTurn<Result>(
  { companyId }: TenantScope,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!(await embedder().catch(() => null))?.local) return work();
  holder.ragstoneSearchTurns ??= companyTurns(env().databaseUrl ? AT_ONCE.server : AT_ONCE.embedded);
  return holder.ragstoneSearchTurns.run(companyId, work, signal);
}

/**
 * Reads the best candidates: `wanted` distinct texts and one more, those that tie with the last, and from anywhere in
 * the pool what repeats one of them, so that `alsoIn` does not depend on `wanted` either.
 */
async function hydrate(
  tx: Transaction,
  { companyId }: TenantScope,
  { candidates, texts }: Found,
  wanted: number,
): Promise<Hit[]> {
  const best = new Set<number | undefined>();
  for (const [index, { ordinal, score }] of candidates.entries()) {
    if (best.size > wanted && score !== candidates[index - 1]?.score) break;
    best.add(texts.get(ordinal));
  }
  const read = candidates.filter(({ ordinal }) => best.has(texts.get(ordinal)));
  const rows = await readChunks(tx, { companyId, ordinals: read.map(({ ordinal }) => ordinal) });
  const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
  const hits = read.flatMap((candidate): Hit[] => {
    const chunk = byOrdinal.get(candidate.ordinal);
    return chunk ? [{ ...candidate, chunk, alsoIn: [] }] : [];
  });
  return withoutRepeats(hits.sort(inOrder));
}

async function reranked(queryText: string, hits: Hit[], { degraded, signal }: Way): Promise<Hit[]> {
  const head = hits.slice(0, RERANKED);
  const remote = remoteReranker();
  const documents = head.map(({ chunk }) => ({ title: chunk.title, content: chunk.content }));
  try {
    const scores = remote
      ? await remote.score(
          queryText,
          documents.map(({ title, content }) => `${title}\n${content}`),
          signal,
        )
      : rerank(
          queryText,
          head.map(({ score, chunk }) => ({ score, title: chunk.title, content: chunk.content })),
        );
    const read = head.map((hit, index) => ({ ...hit, score: scores[index] ?? 0 }));
    return [...read, ...below(Math.min(...scores), hits.slice(RERANKED))].sort(inOrder);
  } catch (error) {
    signal?.throwIfAborted();
    log().warn({ err: error }, "the reranker is unavailable");
    degraded.push("rerank");
    return hits;
  }
}

/** What the reranker did not read stays behind what it read, in its own order. */
function below(floor: number, unread: Hit[]): Hit[] {
  const scale = Math.min(1, floor / (unread[0]?.score || 1));
  return unread.map((hit) => ({ ...hit, score: hit.score * scale }));
}
