import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createModels, RUNNING_MODELS } from "../../ai/models.ts";
import { embeddings, lexicalBlocks } from "../../db/schema/index.ts";
import { enqueueOnce } from "../../db/system/jobs.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { parseEnv } from "../../env.ts";
import { indexMemory } from "../../retrieval/memory/index-memory.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, ask, document, newCompany, work } from "../../testing/knowledge.ts";
import { lengthenBudgets } from "../../testing/long-limits.ts";
import { type ProviderServer, startProviderServer } from "../../testing/provider-server.ts";
import { scheduleMaintenance } from "../../worker/maintain.ts";

const { db } = testDatabase();
afterAll(lengthenBudgets("query"));

const bundled = () => createModels(parseEnv({}));
const queryText = "When do I get my money back?";

let provider: ProviderServer;
let scope: TenantScope;
let before: Awaited<ReturnType<typeof ask>>;

beforeAll(async () => {
  provider = await startProviderServer({ dimensions: 256 });
  RUNNING_MODELS.set(bundled());
  scope = await newCompany();
  const topics = ["Refunds are paid within fourteen days.", "The router blinks red.", "Invoices come by post."];
  await addAndIngest(scope, ...topics.map((content, i) => document(`topic-${i}`, content)));
  before = await ask(scope, { queryText });
});
afterAll(async () => {
  RUNNING_MODELS.set();
  await provider.close();
});

function chooseRemote() {
  const variables = { OPENAI_BASE_URL: `${provider.url}/v1`, EMBEDDING_DIMENSIONS: "256", ANSWER_MODEL: "local" };
  RUNNING_MODELS.set(createModels(parseEnv(variables)));
}

async function storedDimensions() {
  const rows = await scope.transaction((tx) =>
    tx.select({ embedding: embeddings.embedding }).from(embeddings).where(eq(embeddings.companyId, scope.companyId)),
  );
  return rows.map(({ embedding }) => embedding.split(",").length);
}

describe("another embedding model", () => {
  it("does not change results until its vectors are complete, even while its provider is unavailable", async () => {
    chooseRemote();
    const during = await ask(scope, { queryText });
    expect(during.degraded).toEqual([]);
    expect(during.response.results).toEqual(before.response.results);
    provider.fail({ kind: "status", status: 500 });
    const away = await ask(scope, { queryText: "money back, please?" });
    expect(away.degraded).toEqual([]);
    expect(away.response.results[0]?.payload.sourceId).toBe("topic-0");
    provider.fail(null);
  });

  it("searches by keywords while the former model fails", async () => {
    chooseRemote();
    RUNNING_MODELS.set({ ...RUNNING_MODELS.get(), formerEmbedder: () => Promise.reject(new Error("out of memory")) });
    const during = await ask(scope, { queryText: "refunds, please" });
    expect(during.degraded).toEqual(["embedding"]);
    expect(during.response.results[0]?.payload.sourceId).toBe("topic-0");
  });

  it("is used once its vectors are complete, and the old vectors are deleted", async () => {
    chooseRemote();
    await scheduleMaintenance();
    await work(scope);
    expect(await storedDimensions()).toEqual([256, 256, 256]);
    const after = await ask(scope, { queryText: "refunds are paid within days" });
    expect(after.degraded).toEqual([]);
    expect(after.trace.model).toContain("/256");
    expect(after.response.results[0]?.payload.sourceId).toBe("topic-0");
  });

  it("searches by keywords while the old vectors are from a provider that is no longer available, until it is complete", async () => {
    RUNNING_MODELS.set(bundled());
    const during = await ask(scope, { queryText: "refunds" });
    expect(during.degraded).toEqual(["embedding"]);
    expect(during.response.results[0]?.payload.sourceId).toBe("topic-0");
    await scheduleMaintenance();
    await work(scope);
    expect((await ask(scope, { queryText })).response.results).toEqual(before.response.results);
  });

  it("leaves no chunk without a vector when it was chosen for a while only", async () => {
    RUNNING_MODELS.set(bundled());
    const own = await newCompany();
    await addAndIngest(own, document("refunds", "Refunds are paid within fourteen days."));
    chooseRemote();
    await addAndIngest(own, document("parcels", "Parcels are sent by rail."));
    RUNNING_MODELS.set(bundled());
    const comparedChunks = async () => {
      await ask(own, { queryText: "How are parcels sent?" });
      await indexMemory().untilLoaded();
      const { trace } = await ask(own, { queryText: "How are parcels sent?" });
      expect(trace.index).toBe("memory");
      return trace.results.filter(({ vectorRank }) => vectorRank !== null).length;
    };
    expect(await comparedChunks()).toBe(1);
    await enqueueOnce(own.companyId, "maintain");
    await work(own);
    expect(await comparedChunks()).toBe(2);
    expect(await db.$count(embeddings, eq(embeddings.companyId, own.companyId))).toBe(2);
  });

  it("serves a large company from a complete graph", async () => {
    const { companyId } = scope;
    await db.update(lexicalBlocks).set({ liveCount: 20_000 }).where(eq(lexicalBlocks.companyId, companyId));
    chooseRemote();
    await enqueueOnce(companyId, "re-embed");
    await work(scope);
    expect(await storedDimensions()).toEqual([256, 256, 256]);
    expect(await db.$count(embeddings, and(eq(embeddings.companyId, companyId), embeddings.inGraph))).toBe(3);
  });
});
