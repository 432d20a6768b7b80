import { embedder } from "../lib/ai/models.ts";
import { STEPS } from "../lib/ai/round-vector.ts";
import { createKey } from "../lib/api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../lib/audit/record.ts";
import { createCompany, deleteCompany } from "../lib/companies/service.ts";
import { closeConnection } from "../lib/db/client.ts";
import { vectorLiteral } from "../lib/db/sql.ts";
import { embeddingModelId } from "../lib/db/system/models.ts";
import { type TenantScope, tenantScope } from "../lib/db/tenant.ts";
import { progressOf } from "../lib/knowledge/ingest/progress.ts";
import { addSources } from "../lib/knowledge/intake/add.ts";
import { sourceInput } from "../lib/knowledge/intake/source-input.ts";
import { VECTOR_CANDIDATES } from "../lib/retrieval/candidates.ts";
import { cosinesOf, nearestExact } from "../lib/retrieval/queries.ts";
import { retrieveRequest } from "../lib/retrieval/schema.ts";
import { retrieve } from "../lib/retrieval/service.ts";
import { nearest, sizesOf } from "../lib/retrieval/vector-search.ts";
import { eligibleChunks } from "../lib/search-index/eligible.ts";
import { readBlocks } from "../lib/search-index/read-index.ts";
import type { EffectiveFilters } from "../lib/search-index/source-filters.ts";
import { growGraph } from "../lib/search-index/vector-graph.ts";
import { flushQueryLog } from "../lib/usage/record.ts";
import { documents, drawQuestions, questions } from "./corpus.ts";
import { type Figures, measure, measureWithCpu, percentiles, round, WARM_UP_REQUESTS } from "./measure.ts";
import { postgresPids } from "./postgres-process.ts";
import { type BenchServer, cpuMsOf, startServer } from "./server.ts";

export interface RetrievalRow {
  database: string;
  chunks: number;
  vectors: string;
  search: string;
  httpP50: number;
  httpP95: number;
  httpP99: number;
  perSecond1: number;
  perSecond8: number;
  /** Processor time of a request by all processes, the database included: of a new question, and of one asked before. */
  cpuMsNew: number;
  cpuMsRepeated: number;
  inProcessP50: number;
  /** An answer over HTTP, without a language model, and how much longer it takes than its results alone. */
  answerP50: number;
  answerExtra: number;
  recall10: number;
  ingestChunksPerSecond: number;
  ingestMbPerSecond: number;
  duringIngestP95: number;
  startMs: number;
  memoryMb: number;
  stages: Record<string, number>;
}

interface Bench {
  database: string;
  sizes: number[];
  vectors: string;
  queries: number;
  variables: Record<string, string>;
}

/** Few, so that the warm-up reads few of the posting lists that new questions need. */
const WARM_UP_QUESTIONS = questions(20, 3);
const INGEST_QUESTIONS = questions(100);

/** Starts one server with a company for each size. Measures each without a filter and with one that 10 % pass. */
export async function benchRetrieval(bench: Bench): Promise<RetrievalRow[]> {
  Object.assign(process.env, bench.variables);
  const server = await startServer(bench.variables);
  const rows: RetrievalRow[] = [];
  try {
    for (const size of bench.sizes) {
      const scope = tenantScope((await createCompany(CLI_ACTOR, { name: `Bench ${size}` })).id);
      const { token } = await createKey(scope, CLI_ACTOR, { name: "bench", rateLimitPerMinute: 0 });
      const ingested = await ingestAll(scope, server, token, size);
      console.error(`${bench.database}, ${size} chunks: ingested`);
      // the hourly job would do it during the measurement
      await growGraph(scope, { turn: { hasEnded: () => false } });
      // new questions, so that the time to embed them is measured
      const draw = drawQuestions([...WARM_UP_QUESTIONS, ...INGEST_QUESTIONS]);
      for (const search of ["all", "10 % filter"]) {
        const figures = await benchSearch(scope, server, token, bench, { search, draw });
        const common = { database: bench.database, chunks: size, vectors: bench.vectors, search };
        rows.push({ ...common, ...figures, ...ingested, startMs: server.startMs, memoryMb: server.memoryMb() });
        console.error(`${bench.database}, ${size} chunks, ${search}: ${figures.httpP50} ms`);
      }
      await deleteCompany(scope, SYSTEM_ACTOR);
    }
    return rows;
  } finally {
    await flushQueryLog();
    await closeConnection();
    await server.stop();
  }
}

async function ingestAll(scope: TenantScope, server: BenchServer, token: string, size: number) {
  const given = documents(size).map((source) => sourceInput.parse(source));
  const bytes = given.reduce((sum, source) => sum + ("content" in source ? source.content.length : 0), 0);
  const started = performance.now();
  const accepted = await addSources(scope, CLI_ACTOR, given);
  const versionIds = accepted.map(({ versionId }) => versionId);
  const during: number[] = [];
  for (const question of loop(INGEST_QUESTIONS)) {
    const since = performance.now();
    await post(server, token, { queryText: question });
    during.push(performance.now() - since);
    // polls rarely, because reading the progress of many sources loads the database
    if (during.length % 10 === 0) {
      const { done, total } = await progressOf(scope, SYSTEM_ACTOR, versionIds);
      if (done === total) break;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const seconds = (performance.now() - started) / 1_000;
  return {
    ingestChunksPerSecond: round(size / seconds),
    ingestMbPerSecond: Math.round((bytes / 1e6 / seconds) * 1_000) / 1_000,
    duringIngestP95: percentiles(during).p95,
  };
}

async function benchSearch(
  scope: TenantScope,
  server: BenchServer,
  token: string,
  { database, queries: count }: Bench,
  { search, draw }: { search: string; draw: (count: number) => string[] },
) {
  const filters = search === "all" ? {} : { audience: "copilot" };
  const asked = draw(count);
  const body = (queryText: string) => ({ queryText, filters });
  const warmUp = Array.from({ length: WARM_UP_REQUESTS / WARM_UP_QUESTIONS.length }, () => WARM_UP_QUESTIONS).flat();
  await measure(warmUp, 8, async (question) => void (await post(server, token, body(question))));
  const stages: Record<string, number[]> = {};
  const one = await measure(asked, 1, async (question) => {
    const timing = await post(server, token, body(question));
    for (const [name, ms] of timing) stages[name] = [...(stages[name] ?? []), ms];
  });
  const usedMs = async () => cpuMsOf([...server.pids(), ...(database === "server" ? await postgresPids() : [])]);
  const asked8 = draw(count);
  const askEight = () =>
    measureWithCpu(asked8, 8, async (question) => void (await post(server, token, body(question))), usedMs);
  const eight = await askEight();
  const repeated = await askEight();
  const inProcess: Figures = await measure(draw(count), 1, async (question) => {
    const request = retrieveRequest.parse(body(question));
    await retrieve(scope, request, { requestId: crypto.randomUUID(), origin: "cli" });
  });
  const answers = await benchAnswers(server, token, draw(2 * count), filters);
  return {
    httpP50: one.p50,
    httpP95: one.p95,
    httpP99: one.p99,
    perSecond1: one.perSecond,
    perSecond8: eight.perSecond,
    cpuMsNew: eight.cpuMs,
    cpuMsRepeated: repeated.cpuMs,
    inProcessP50: inProcess.p50,
    ...answers,
    recall10: await recall(scope, asked.slice(0, 50), search === "all" ? {} : { audience: ["copilot"] }),
    stages: Object.fromEntries(Object.entries(stages).map(([name, times]) => [name, percentiles(times).p50])),
  };
}

/** Asks for results and for answers in turns, each with a new question, so that no quiet moment favours one of them. */
async function benchAnswers(server: BenchServer, token: string, asked: string[], filters: object) {
  const plain: number[] = [];
  const answered: number[] = [];
  for (const [index, queryText] of asked.entries()) {
    const isPlain = index % 2 === 0;
    const started = performance.now();
    await post(server, token, { queryText, filters, returnMode: isPlain ? "chunks_only" : "ai_generated_answer" });
    (isPlain ? plain : answered).push(performance.now() - started);
  }
  const answerP50 = percentiles(answered).p50;
  return { answerP50, answerExtra: round(answerP50 - percentiles(plain).p50) };
}

/** Share of the 10 nearest chunks of an exact search that retrieval also finds among its 10 nearest. */
export async function recall(scope: TenantScope, asked: string[], filters: EffectiveFilters): Promise<number> {
  const { companyId } = scope;
  const model = await embedder();
  const id = await embeddingModelId(model);
  let found = 0;
  for (const question of asked) {
    const vector = vectorLiteral(await model.embedQuery(question), STEPS.question);
    const query = { companyId, model: { id, dimensions: model.dimensions }, vector };
    found += await scope.snapshot(async (tx) => {
      const rows = await readBlocks(tx, companyId);
      const eligible = await eligibleChunks(tx, { companyId, filters, rows });
      const all =
        Object.keys(filters).length > 0
          ? await cosinesOf(tx, { ...query, ordinals: eligible.ordinals() })
          : await nearestExact(tx, { ...query, count: 10 });
      const exact = new Set(
        all
          .toSorted((a, b) => b.cosine - a.cosine)
          .slice(0, 10)
          .map(({ ordinal }) => ordinal),
      );
      const near = await nearest(tx, { ...query, count: VECTOR_CANDIDATES, eligible, ...sizesOf(rows) });
      return near.slice(0, 10).filter(({ ordinal }) => exact.has(ordinal)).length;
    });
  }
  return Math.round((found / (10 * asked.length)) * 1_000) / 1_000;
}

/** @returns the stages of `Server-Timing` in milliseconds */
export async function post({ url }: BenchServer, token: string, body: object): Promise<[string, number][]> {
  const response = await fetch(`${url}/v1/api/rag/retrieve`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
  const header = response.headers.get("server-timing") ?? "";
  return [...header.matchAll(/(\w+);dur=([\d.]+)/g)].map(([, name = "", ms = "0"]) => [name, Number(ms)]);
}

function* loop<Item>(items: Item[]): Generator<Item> {
  for (;;) yield* items;
}
