import { createKey } from "../../lib/api-keys/service.ts";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { questions } from "../corpus.ts";
import { searchClient } from "../light-client.ts";
import { measure, measureWithCpu, percentiles } from "../measure.ts";
import { postgresPids } from "../postgres-process.ts";
import { post, recall } from "../retrieval.ts";
import { type BenchServer, cpuMsOf } from "../server.ts";

const RECALL_QUESTIONS = 20;
/** Fewer than the question vectors that the product keeps for all companies. */
const VECTORS_KEPT = 800;
const REPEATS = 3;
const CLIENTS = 8;
/** A search with a filter, which a tenth of the sources pass. */
const SEARCHES = { all: {}, "10 % filter": { audience: "copilot" } };

/** Requests of one company over HTTP. Each question was asked before, so that embedding it takes no time. */
export async function searchFigures(server: BenchServer, scope: TenantScope, count: number) {
  const { token } = await createKey(scope, CLI_ACTOR, { name: "bench", rateLimitPerMinute: 0 });
  const asked = questions(count, 7);
  const rows = [];
  for (const [search, filters] of Object.entries(SEARCHES)) {
    const ask = (queryText: string) => post(server, token, { queryText, filters });
    const started = performance.now();
    await ask(asked[0] ?? "");
    const firstMs = Math.round(performance.now() - started);
    for (const question of asked) await ask(question);
    const stages: Record<string, number[]> = {};
    const one = await measure(asked, 1, async (question) => {
      for (const [name, ms] of await ask(question)) stages[name] = [...(stages[name] ?? []), ms];
    });
    const eight = await measure(asked, CLIENTS, async (question) => void (await ask(question)));
    const medians = Object.entries(stages).map(([name, times]) => [name, percentiles(times).p50]);
    rows.push({
      ...{ search, firstMs, p50: one.p50, p95: one.p95, perSecond8: eight.perSecond },
      ...Object.fromEntries(medians),
    });
  }
  return rows;
}

/** Requests of 8 clients, each question to all companies in turn, asked before in each. */
export async function figuresTogether(server: BenchServer, scopes: TenantScope[]) {
  const keys = scopes.map((scope) => createKey(scope, CLI_ACTOR, { name: "bench", rateLimitPerMinute: 0 }));
  const tokens = (await Promise.all(keys)).map(({ token }) => token);
  const find = searchClient(server.url);
  const each = Math.floor(VECTORS_KEPT / tokens.length);
  const asked = questions(each, 7).flatMap((queryText) => tokens.map((token) => ({ token, queryText })));
  const many = Array.from({ length: REPEATS }, () => asked).flat();
  const usedMs = async () => cpuMsOf([...server.pids(), ...(await postgresPids())]);
  const rows: Record<string, object> = {};
  for (const [search, filters] of Object.entries(SEARCHES)) {
    const ask = async ({ token, queryText }: (typeof asked)[number]) =>
      void (await find(token, { queryText, filters }));
    await measure(many, CLIENTS, ask);
    rows[search] = await measureWithCpu(many, CLIENTS, ask, usedMs);
  }
  return rows;
}

/** Recall among the nearest 10, against an exact search. */
export function recallOf(scope: TenantScope): Promise<number> {
  return recall(scope, questions(RECALL_QUESTIONS, 7), {});
}
