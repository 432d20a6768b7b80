import { createKey } from "../../lib/api-keys/service.ts";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { questions } from "../corpus.ts";
import { measure, percentiles } from "../measure.ts";
import { post, recall } from "../retrieval.ts";
import type { BenchServer } from "../server.ts";

const RECALL_QUESTIONS = 20;
/** A search with a filter, which a tenth of the sources pass. */
const SEARCHES = { all: {}, "10 % filter": { audience: "copilot" } };

/** Requests of one company over HTTP. Each question was asked before, so that its vector costs nothing. */
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
    const eight = await measure(asked, 8, async (question) => void (await ask(question)));
    const medians = Object.entries(stages).map(([name, times]) => [name, percentiles(times).p50]);
    rows.push({
      ...{ search, firstMs, p50: one.p50, p95: one.p95, perSecond8: eight.perSecond },
      ...Object.fromEntries(medians),
    });
  }
  return rows;
}

/** Recall among the nearest 10, against an exact search. */
export function recallOf(scope: TenantScope): Promise<number> {
  return recall(scope, questions(RECALL_QUESTIONS, 7), {});
}
