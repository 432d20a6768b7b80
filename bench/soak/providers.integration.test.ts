import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createModels } from "../../lib/ai/models.ts";
import { embeddings } from "../../lib/db/schema/index.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { describeError } from "../../lib/describe-error.ts";
import { parseEnv } from "../../lib/env.ts";
import { log } from "../../lib/log.ts";
import { testDatabase } from "../../lib/testing/database.ts";
import { ask, document, learn, newCompany } from "../../lib/testing/knowledge.ts";
import { type ProviderServer, startProviderServer } from "../../lib/testing/provider-server.ts";
import { type ProviderFault, PURPOSES, type Purpose, providerFaults } from "./provider-faults.ts";

testDatabase();

const DIMENSIONS = 256;
const SECRET = "sk-canary-5f1e";
const CANARY = "heliotrope";
/** Far more than the budgets, because the machine that runs the tests may be busy: the long run measures. */
const PATIENCE_MS = 40_000;

let provider: ProviderServer;
let scope: TenantScope;
let asked = 0;
const logged: string[] = [];

function newModels(): void {
  globalThis.ragstoneModels = createModels(
    parseEnv({
      OPENAI_BASE_URL: `${provider.url}/v1`,
      OPENAI_API_KEY: SECRET,
      EMBEDDING_DIMENSIONS: String(DIMENSIONS),
      RERANK_BASE_URL: provider.url,
      RERANK_API_KEY: SECRET,
    }),
  );
}

beforeAll(async () => {
  const write = (...values: unknown[]) =>
    void logged.push(JSON.stringify(values, (_, value) => (value instanceof Error ? describeError(value) : value)));
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(log(), level).mockImplementation(write);
  provider = await startProviderServer({ dimensions: DIMENSIONS });
  newModels();
  scope = await newCompany();
  const topics = ["Refunds are paid within fourteen days.", "The router blinks red.", "Invoices come by post."];
  await learn(scope, ...topics.map((content, i) => document(`topic-${i}`, `${content} The ${CANARY} is ours.`)));
});
afterEach(() => provider.fail(null));
afterAll(async () => {
  globalThis.ragstoneModels = undefined;
  await provider.close();
});

async function failing<Result>(
  { fault }: ProviderFault,
  purpose: Purpose,
  work: () => Promise<Result>,
): Promise<Result> {
  if (fault !== "refused") {
    provider.failAt(PURPOSES[purpose].path, fault);
    return work();
  }
  await provider.close();
  try {
    return await work();
  } finally {
    await provider.reopen();
  }
}

/** Another question each time: a vector that is known is not asked for. */
function question(purpose: Purpose) {
  const queryText = `When are refunds paid by the ${CANARY}, please, number ${asked++}?`;
  const returnMode = purpose === "answer" ? ("ai_generated_answer" as const) : ("chunks_only" as const);
  return { queryText, returnMode, useRerank: purpose === "rerank" };
}

/** An answer that stalls takes its whole budget of 12 s, and most statuses are one to a model: the long run has them all. */
function faultsOf(purpose: Purpose): ProviderFault[] {
  const seldom = /status (?:40[135]|409|413|422|50[1-4])|Retry-After: (?:0|30|a|soon)/;
  return providerFaults.filter(({ name, silent }) => !(silent && purpose === "answer") && !seldom.test(name));
}

const callsOf = (purpose: Purpose) => provider.calls.filter(({ path }) => path === PURPOSES[purpose].path).length;

describe.each(["embedding", "rerank", "answer"] as const)("a provider of the %s", (purpose) => {
  beforeAll(newModels);
  // the next fault must meet a breaker that is closed, and new models must load the one that answers in a failure
  afterEach(async () => {
    provider.fail(null);
    if (purpose !== "answer") newModels();
    else for (let i = 0; i < 3; i++) await ask(scope, question(purpose));
  });

  it.each(faultsOf(purpose))("that fails by $name costs no result", async (fault) => {
    await failing(fault, purpose, async () => {
      const before = callsOf(purpose);
      const started = performance.now();
      const { response, degraded } = await ask(scope, question(purpose));
      expect(response.results[0]?.payload.sourceId).toBe("topic-0");
      expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
      const lost = fault.harms.includes(purpose) ? [PURPOSES[purpose].degraded] : [];
      // where nobody listens, the vector is gone too
      expect(degraded.filter((what) => fault.fault !== "refused" || what === PURPOSES[purpose].degraded)).toEqual(lost);
      if (purpose === "answer") expect(response.aiGeneratedAnswer).toMatch(/\[\d\]/);
      expect(callsOf(purpose) - before).toBeLessThan(3);
    });
  });

  it("is left alone after at most 20 calls, and costs at most two calls a request before", async () => {
    newModels();
    provider.failAt(PURPOSES[purpose].path, { kind: "status", status: 500 });
    const before = callsOf(purpose);
    for (let i = 0; i < 10; i++) await ask(scope, question(purpose));
    const spent = callsOf(purpose) - before;
    expect(spent).toBeLessThanOrEqual(20);
    const started = performance.now();
    for (let i = 0; i < 10; i++) await ask(scope, question(purpose));
    // one probe each five seconds finds out whether it is back
    const probes = 1 + Math.ceil((performance.now() - started) / 5_000);
    expect(callsOf(purpose) - before - spent).toBeLessThanOrEqual(probes);
  });
});

describe("a provider that nobody described", () => {
  it("is waited for no longer than one that is known", async () => {
    globalThis.ragstoneModels = createModels(
      parseEnv({ OPENAI_BASE_URL: `${provider.url}/v1`, EMBEDDING_MODEL: "unheard-of", ANSWER_MODEL: "local" }),
    );
    provider.failAt(PURPOSES.embedding.path, { kind: "hang" });
    const started = performance.now();
    const { response, degraded } = await ask(scope, question("embedding"));
    expect(response.results[0]?.payload.sourceId).toBe("topic-0");
    expect(degraded).toEqual(["embedding"]);
    expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
  });
});

describe("what providers send", () => {
  // ingestion tries each again for half a minute; the tests of the remote models refuse the other wrong vectors
  it.each(providerFaults.filter(({ name }) => name === "NaN" || name === "another order"))(
    "of $name is stored only when it is right",
    async (fault) => {
      newModels();
      const before = await storedVectors();
      await failing(fault, "embedding", () => learn(scope, document(`given ${fault.name}`, "The till opens at nine.")));
      const stored = await storedVectors();
      // what failed before is tried again, and stored when it may be
      if (fault.harms.includes("embedding")) expect(stored.length).toBe(before.length);
      else expect(stored.length).toBeGreaterThan(before.length);
      for (const vector of stored) {
        expect(vector).toHaveLength(DIMENSIONS);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 2);
      }
    },
  );

  it("and what they were sent is in no line of the log", () => {
    expect(logged.length).toBeGreaterThan(50);
    expect(logged.filter((line) => line.includes(SECRET) || line.includes(CANARY))).toEqual([]);
  });
});

async function storedVectors(): Promise<number[][]> {
  const rows = await scope.transaction((tx) =>
    tx.select({ embedding: embeddings.embedding }).from(embeddings).where(eq(embeddings.companyId, scope.companyId)),
  );
  return rows.map(({ embedding }) => embedding.replace(/[[\]]/g, "").split(",").map(Number));
}
