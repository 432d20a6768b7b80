import { beforeAll, describe, expect, it } from "vitest";
import type { TenantScope } from "../db/tenant.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../testing/knowledge.ts";
import { VECTOR_CANDIDATES } from "./candidates.ts";
import { MAX_LIMIT } from "./schema.ts";

testDatabase();

const LIMITS = [1, 3, 10, 40, MAX_LIMIT];

async function resultsOf(scope: TenantScope, queryText: string, limit: number, useRerank = false) {
  return (await ask(scope, { queryText, limit, useRerank })).response.results;
}

describe("questions with many alternative phrasings", () => {
  const ASKED_OFTEN = 10;
  const ASKED_ONCE = 12;
  let scope: TenantScope;
  beforeAll(async () => {
    scope = await newCompany();
    const often = Array.from({ length: ASKED_OFTEN }, (_, i) => ({
      sourceType: "qa",
      sourceId: `often-${i}`,
      question: `How do I pay bill ${i}?`,
      answer: `Bill ${i} is paid at desk ${i}.`,
      alternatives: Array.from({ length: 50 }, (_, way) => `How do I pay bill ${i} in way ${way}?`),
    }));
    const once = Array.from({ length: ASKED_ONCE }, (_, i) =>
      document(`once-${i}`, `Basalt of quarry ${i} floats on cold water.`),
    );
    await addAndIngest(scope, ...often, ...once);
  });

  it.each([false, true])(
    "are all found up to the limit, and a higher limit only appends (reranked: %s)",
    async (useRerank) => {
      const all = await resultsOf(scope, "How do I pay bill 7?", MAX_LIMIT, useRerank);
      expect(new Set(all.map(({ payload }) => payload.sourceId)).size).toBe(ASKED_OFTEN + ASKED_ONCE);
      expect(all).toHaveLength(ASKED_OFTEN + ASKED_ONCE);
      const scores = all.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      for (const limit of LIMITS) {
        expect(await resultsOf(scope, "How do I pay bill 7?", limit, useRerank)).toEqual(all.slice(0, limit));
      }
    },
  );
});

describe("a text that many sources have", () => {
  const COPIES = VECTOR_CANDIDATES + 20;
  const OTHERS = 6;
  let scope: TenantScope;
  beforeAll(async () => {
    scope = await newCompany();
    const copies = Array.from({ length: COPIES }, (_, i) => document(`copy-${i}`, "Quartz is harder than marble."));
    const others = Array.from({ length: OTHERS }, (_, i) => document(`other-${i}`, `Basalt ${i} floats on water.`));
    await addAndIngest(scope, ...copies, ...others);
  });

  it("hides no other text and names all its sources", async () => {
    const [first, ...rest] = await resultsOf(scope, "Is quartz harder than marble?", MAX_LIMIT);
    expect(first?.payload.metadata.alsoIn).toHaveLength(COPIES - 1);
    expect(rest.map(({ payload }) => payload.sourceId).sort()).toEqual(
      Array.from({ length: OTHERS }, (_, i) => `other-${i}`),
    );
  });

  it("names the same sources whatever the limit", async () => {
    const all = await resultsOf(scope, "Is quartz harder than marble?", MAX_LIMIT);
    for (const limit of LIMITS) {
      expect(await resultsOf(scope, "Is quartz harder than marble?", limit)).toEqual(all.slice(0, limit));
    }
  });
});

it("names a repeating source that ranks far below, whatever the limit", async () => {
  const scope = await newCompany();
  const text = "Granite floors are washed with warm water.";
  const between = Array.from({ length: 30 }, (_, i) =>
    document(`floor-${i}`, `Granite floors of house ${i} are washed with warm water.`),
  );
  await addAndIngest(
    scope,
    document("near", text, { title: "Granite floors washed with warm water" }),
    document("far", text, { title: "Invoices, contracts, refunds, deliveries, passwords and roaming abroad" }),
    ...between,
  );
  for (const limit of [1, 5, 50]) {
    const results = await resultsOf(scope, text, limit);
    expect(results[0]?.payload).toMatchObject({ sourceId: "near", metadata: { alsoIn: ["far"] } });
  }
});
