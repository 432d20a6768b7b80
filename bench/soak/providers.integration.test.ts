import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createModels, RUNNING_MODELS } from "../../lib/ai/models.ts";
import { budgets } from "../../lib/ai/remote/resilience.ts";
import { embeddings } from "../../lib/db/schema/index.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { describeError } from "../../lib/describe-error.ts";
import { parseEnv } from "../../lib/env.ts";
import { log } from "../../lib/log.ts";
import { testDatabase } from "../../lib/testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../../lib/testing/knowledge.ts";
import { lengthenBudgets } from "../../lib/testing/long-limits.ts";
import { type ProviderServer, startProviderServer } from "../../lib/testing/provider-server.ts";
import { type ProviderFault, PURPOSES, type Purpose, providerFaults } from "./provider-faults.ts";

testDatabase();

const DIMENSIONS = 256;
const SECRET = "sk-canary-5f1e";
const CANARY = "heliotrope";
/** Far above the budgets, because the test machine may be busy. Only the long run measures times. */
const ANSWER_MAX_MS = 40_000;

let provider: ProviderServer;
let scope: TenantScope;
let asked = 0;
const logged: string[] = [];

function newModels(): void {
  RUNNING_MODELS.set(
    createModels(
      parseEnv({
        OPENAI_BASE_URL: `${provider.url}/v1`,
        OPENAI_API_KEY: SECRET,
        EMBEDDING_DIMENSIONS: String(DIMENSIONS),
        RERANK_BASE_URL: provider.url,
        RERANK_API_KEY: SECRET,
      }),
    ),
  );
}

beforeAll(async () => {
  const write = (...values: unknown[]) =>
    void logged.push(JSON.stringify(values, (_, value) => (value instanceof Error ? describeError(value) : value)));
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(log(), level).mockImplementation(write);
  const answer = () => "Refunds are paid within fourteen days [1].";
  provider = await startProviderServer({ dimensions: DIMENSIONS, answer });
  newModels();
  scope = await newCompany();
  const topics = ["Refunds are paid within fourteen days.", "The router blinks red.", "Invoices come by post."];
  await addAndIngest(scope, ...topics.map((content, i) => document(`topic-${i}`, `${content} The ${CANARY} is ours.`)));
});
afterEach(() => provider.fail(null));
afterAll(async () => {
  RUNNING_MODELS.set();
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

/** A new question each time, because known vectors are cached. */
function question(purpose: Purpose) {
  const queryText = `Are refunds of the ${CANARY} paid within fourteen days? ${asked++}`;
  const returnMode = purpose === "answer" ? ("ai_generated_answer" as const) : ("chunks_only" as const);
  return { queryText, returnMode, useRerank: purpose === "rerank" };
}

/** Without slow faults (a stalled answer takes 12 s) and statuses that models treat alike. The long run has all. */
function faultsOf(purpose: Purpose): ProviderFault[] {
  const seldom = /status (?:40[135]|409|413|422|50[1-4])|Retry-After: (?:0|30|a|soon)/;
  return providerFaults.filter(({ name, silent }) => !(silent && purpose === "answer") && !seldom.test(name));
}

const callsOf = (purpose: Purpose) => provider.calls.filter(({ path }) => path === PURPOSES[purpose].path).length;

const PURPOSE_NAMES = ["embedding", "rerank", "answer"] as const;

describe.each(PURPOSE_NAMES)("the %s provider", (purpose) => {
  beforeAll(newModels);
  // the next test needs a closed circuit breaker, and the new models must load the fallback for answers
  afterEach(async () => {
    provider.fail(null);
    if (purpose !== "answer") newModels();
    else for (let i = 0; i < 3; i++) await ask(scope, question(purpose));
  });

  it.each(faultsOf(purpose))("does not cost any result when it fails with $name", async (fault) => {
    // only a silent provider needs to reach its limit
    const others = PURPOSE_NAMES.filter((name) => name !== purpose || !fault.silent);
    onTestFinished(lengthenBudgets(...others.map((name) => PURPOSES[name].budget)));
    await failing(fault, purpose, async () => {
      const before = callsOf(purpose);
      const started = performance.now();
      const { response, degraded } = await ask(scope, question(purpose));
      expect(response.results[0]?.payload.sourceId).toBe("topic-0");
      expect(performance.now() - started).toBeLessThan(ANSWER_MAX_MS);
      const lost = fault.harms.includes(purpose) ? [PURPOSES[purpose].degraded] : [];
      // when nothing listens, the embedding fails too
      expect(degraded.filter((what) => fault.fault !== "refused" || what === PURPOSES[purpose].degraded)).toEqual(lost);
      if (purpose === "answer") expect(response.aiGeneratedAnswer).toMatch(/\[\d\]/);
      expect(callsOf(purpose) - before).toBeLessThan(3);
    });
  });

  it("is not called any more after at most 20 failing calls, at most two per request", async () => {
    newModels();
    provider.failAt(PURPOSES[purpose].path, { kind: "status", status: 500 });
    const before = callsOf(purpose);
    for (let i = 0; i < 10; i++) await ask(scope, question(purpose));
    const spent = callsOf(purpose) - before;
    expect(spent).toBeLessThanOrEqual(20);
    const started = performance.now();
    for (let i = 0; i < 10; i++) await ask(scope, question(purpose));
    // probes check whether the provider is available again
    const probes = 1 + Math.ceil((performance.now() - started) / budgets.query.probeAfterMs);
    expect(callsOf(purpose) - before - spent).toBeLessThanOrEqual(probes);
  });
});

describe("providers whose host is unknown", () => {
  it("do not cost any result", async () => {
    const [base, url] = ["http://provider.invalid/v1", "http://provider.invalid"];
    const variables = { OPENAI_BASE_URL: base, EMBEDDING_DIMENSIONS: String(DIMENSIONS), RERANK_BASE_URL: url };
    RUNNING_MODELS.set(createModels(parseEnv({ ...variables, RERANK_API_KEY: SECRET })));
    const { response, degraded } = await ask(scope, { ...question("answer"), useRerank: true });
    expect(response.results[0]?.payload.sourceId).toBe("topic-0");
    expect(response.aiGeneratedAnswer).toMatch(/\[\d\]/);
    expect(degraded.toSorted()).toEqual(["embedding", "generation", "rerank"]);
  });
});

describe("a provider with unknown dimensions", () => {
  it("gets no longer timeout than a known provider", async () => {
    RUNNING_MODELS.set(
      createModels(
        parseEnv({ OPENAI_BASE_URL: `${provider.url}/v1`, EMBEDDING_MODEL: "unheard-of", ANSWER_MODEL: "local" }),
      ),
    );
    provider.failAt(PURPOSES.embedding.path, { kind: "hang" });
    const started = performance.now();
    const { response, degraded } = await ask(scope, question("embedding"));
    expect(response.results[0]?.payload.sourceId).toBe("topic-0");
    expect(degraded).toEqual(["embedding"]);
    expect(performance.now() - started).toBeLessThan(ANSWER_MAX_MS);
  });
});

describe("provider responses", () => {
  // ingestion retries each for half a minute, so the tests of the remote models cover the other wrong vectors
  it.each(providerFaults.filter(({ name }) => name === "NaN" || name === "another order"))(
    "with $name are stored only when they are valid",
    async (fault) => {
      newModels();
      const before = await storedVectors();
      await failing(fault, "embedding", () =>
        addAndIngest(scope, document(`given ${fault.name}`, "The till opens at nine.")),
      );
      const stored = await storedVectors();
      // failed sources are retried and stored when the response is valid
      if (fault.harms.includes("embedding")) expect(stored.length).toBe(before.length);
      else expect(stored.length).toBeGreaterThan(before.length);
      for (const vector of stored) {
        expect(vector).toHaveLength(DIMENSIONS);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 2);
      }
    },
  );

  it("and requests to providers never appear in the log", () => {
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
