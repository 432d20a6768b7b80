import { beforeAll, expect, it } from "vitest";
import { RUNNING_MODELS } from "../ai/models.ts";
import type { TenantScope } from "../db/tenant.ts";
import { testDatabase } from "../testing/database.ts";
import { ask, companyWith, document } from "../testing/knowledge.ts";

testDatabase();

const PRICES = "A tandem costs 40 euros for a day and 190 euros for a week.";
const RETURNS = "Bicycles can be returned within fourteen days of delivery.";
let scope: TenantScope;

beforeAll(async () => {
  scope = await companyWith(
    { ...document("prices-2024", `${PRICES} Helmets are free.`), title: "Prices 2024", audience: ["staff", "shop"] },
    { ...document("prices-2026", `${PRICES} A helmet costs 3 euros.`), title: "Prices 2026", audience: ["staff"] },
    { ...document("returns-old", `No longer valid. ${RETURNS}`), title: "Returns" },
    { ...document("returns-new", `In force. ${RETURNS} Send them in the carton.`), title: "Returns of bicycles" },
    ...Array.from({ length: 12 }, (_, i) => document(`other-${i}`, `Desk ${i} opens at ${i} o'clock.`)),
  );
});

async function sourcesFor(queryText: string, more: { limit?: number; audience?: string; useRerank?: boolean } = {}) {
  const { audience, ...request } = more;
  const { results } = (await ask(scope, { queryText, ...request, ...(audience && { filters: { audience } }) }))
    .response;
  return results.map(({ score, payload }) => ({ score, id: payload.sourceId, outdated: payload.metadata.outdated }));
}

it.each([false, true])(
  "finds the newer of two dated titles first and marks the older (reranked: %s)",
  async (useRerank) => {
    const [first, second] = await sourcesFor("What does a tandem with a free helmet cost?", { useRerank });
    expect(first).toMatchObject({ id: "prices-2026", outdated: undefined });
    expect(second).toMatchObject({ id: "prices-2024", outdated: true });
  },
);

it("keeps the newer version first when a rerank model scores both alike", async () => {
  const score = async (_: string, documents: string[]) => documents.map(() => 0.5);
  RUNNING_MODELS.set({ ...RUNNING_MODELS.get(), rerankModel: () => ({ modelId: "even", isRemote: false, score }) });
  try {
    const found = await sourcesFor("What does a tandem with a free helmet cost?", { useRerank: true, limit: 20 });
    const places = ["prices-2026", "prices-2024"].map((id) => found.findIndex((result) => result.id === id));
    expect(places[0]).toBeLessThan(places[1] ?? 0);
    expect(found[places[1] ?? 0]?.score).toBeCloseTo(0.5 * 0.85);
  } finally {
    RUNNING_MODELS.set();
  }
});

it("finds the older version first when the question names its year", async () => {
  const [first] = await sourcesFor("What did a tandem cost in the prices of 2024?");
  expect(first).toMatchObject({ id: "prices-2024", outdated: undefined });
});

it("puts a document that says it is no longer valid behind the one in force", async () => {
  const [first, second] = await sourcesFor("Within how many days can I return a bicycle?");
  expect(first).toMatchObject({ id: "returns-new", outdated: undefined });
  expect(second).toMatchObject({ id: "returns-old", outdated: true });
});

it("marks nothing because of a newer version that the search may not see", async () => {
  const [first, second] = await sourcesFor("What does a tandem cost for a week?", { audience: "shop" });
  expect(first).toMatchObject({ id: "prices-2024", outdated: undefined });
  expect(second).toBeUndefined();
});

it("only appends results at a higher limit, in the order of their scores", async () => {
  const all = await sourcesFor("What does a tandem cost for a week?", { limit: 100 });
  expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).toSorted((a, b) => b - a));
  for (const limit of [1, 2, 5, 12]) {
    expect(await sourcesFor("What does a tandem cost for a week?", { limit })).toEqual(all.slice(0, limit));
  }
});
