import { sql } from "drizzle-orm";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { createModels, RUNNING_MODELS } from "../../ai/models.ts";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { parseEnv } from "../../env.ts";
import { addSources } from "../../knowledge/intake/add.ts";
import { sourceInput } from "../../knowledge/intake/source-input.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, document, newCompany, work } from "../../testing/knowledge.ts";
import { startProviderServer } from "../../testing/provider-server.ts";
import type { TenantScope } from "../tenant.ts";
import { analyzeGrownCompany } from "./statistics.ts";

const { db } = testDatabase();
const SOURCES = 300;

afterEach(() => RUNNING_MODELS.set());

/** How many rows of the company the planner expects in the table. */
async function expectedRows(scope: TenantScope, table: "sources" | "chunks"): Promise<number> {
  const plan = await scope.transaction((tx) =>
    tx.execute<{ "QUERY PLAN": string }>(
      sql`explain select from ragstone.${sql.identifier(table)} where company_id = ${scope.companyId}`,
    ),
  );
  return Number(/rows=(\d+)/.exec(plan[0]?.["QUERY PLAN"] ?? "")?.[1]);
}

/** Embeds with a provider, which costs less time than the local model. */
async function useProvider() {
  const provider = await startProviderServer({ dimensions: 256 });
  onTestFinished(() => provider.close());
  const variables = { OPENAI_BASE_URL: `${provider.url}/v1`, EMBEDDING_DIMENSIONS: "256", ANSWER_MODEL: "local" };
  RUNNING_MODELS.set(createModels(parseEnv(variables)));
  return provider;
}

test("the planner soon knows a company that grows beside a counted one", { retry: 2 }, async () => {
  const given = Array.from({ length: SOURCES }, (_, index) => document(`s-${index}`, `Shelf ${index} holds maps.`));
  await useProvider();
  await addAndIngest(await newCompany(), ...given);
  await db.execute(sql`analyze`);
  const scope = await newCompany();
  await addAndIngest(scope, ...given);
  expect(await expectedRows(scope, "sources")).toBeGreaterThan(SOURCES / 4);
});

test("the planner knows the chunks of a large document before they are embedded", { retry: 2 }, async () => {
  await db.execute(sql`analyze`);
  const provider = await useProvider();
  provider.fail({ kind: "status", status: 503 });
  const scope = await newCompany();
  const text = Array.from({ length: 400 }, (_, index) => `# Shelf ${index}\n\nShelf ${index} holds maps.`).join("\n\n");
  await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(document("shelves", text))]);
  await work(scope);
  expect(await expectedRows(scope, "chunks")).toBeGreaterThan(100);
});

// the embedded database's own count may come between two steps
test("a company is counted at 256 chunks and at each fourfold size, once", { retry: 2 }, async () => {
  const { companyId } = await newCompany();
  const analyzed = async () => {
    const [row] = await db.execute<{ times: string }>(
      sql`select analyze_count::text as times from pg_stat_get_analyze_count('ragstone.sources'::regclass) as analyze_count`,
    );
    return Number(row?.times);
  };
  const sizes = [
    { before: 0, after: 255, times: 0 },
    { before: 255, after: 256, times: 1 },
    { before: 256, after: 255, times: 0 },
    { before: 255, after: 256, times: 0 },
    { before: 256, after: 1_023, times: 0 },
    { before: 1_023, after: 5_000, times: 1 },
  ];
  for (const { times, ...size } of sizes) {
    const before = await analyzed();
    await analyzeGrownCompany(companyId, size);
    await expect.poll(analyzed, { timeout: 30_000 }).toBe(before + times);
  }
});
