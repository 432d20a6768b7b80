import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase } from "../../lib/testing/database.ts";
import { addAndIngest, newCompany } from "../../lib/testing/knowledge.ts";
import { lengthenDatabaseTimeout } from "../../lib/testing/long-limits.ts";
import type { WebServer } from "../../scripts/serve/http-server.ts";
import { documents, questions } from "../corpus.ts";
import { startApiServer } from "./api-server.ts";
import { type FuzzTarget, fuzzApi, repeatConcurrently } from "./contract-fuzz.ts";
import { brokenInvariants, brokenMethods } from "./contract-invariants.ts";
import { prepareFuzz } from "./contract-setup.ts";
import { Findings } from "./findings.ts";
import { createRandom } from "./random.ts";

testDatabase();
lengthenDatabaseTimeout();

/** A busy machine may need three times what a quiet one needs. */
const TEST_TIMEOUT_MS = 180_000;

const REQUESTS = 300;
const CLIENTS = 4;
const SERVED_SHARE = 0.7;
const SEED = 7;
let web: WebServer;
let target: FuzzTarget;

beforeAll(async () => {
  web = await startApiServer();
  target = await prepareFuzz({
    url: web.address(),
    asked: await newCompany("Contract"),
    documents: documents(40),
    addAndWait: (scope, sources) => addAndIngest(scope, ...sources),
    findings: new Findings((line) => console.warn(`seed ${SEED}: ${line}`)),
    random: createRandom(SEED),
  });
});

afterAll(() => web.close(0));

it(
  "keeps the contract for any request",
  async () => {
    await repeatConcurrently(REQUESTS, CLIENTS, () => fuzzApi(target));
    // response times are checked in the long run only, because this machine may be busy
    expect({ seed: SEED, ...target.findings.breaches }).toEqual({ seed: SEED });
    expect(target.findings.statuses).toMatchObject({ 200: expect.any(Number), 422: expect.any(Number) });
    const { served } = target.findings;
    // some need a source in a state that other requests may have changed
    expect(served.size, [...served].join()).toBeGreaterThan(target.document.operations.length * SERVED_SHARE);
  },
  TEST_TIMEOUT_MS,
);

it("keeps all invariants for every question", async () => {
  const broken = await brokenInvariants(target, questions(2, SEED));
  expect({ SEED, broken: Object.entries(broken).filter(([, times]) => times > 0) }).toEqual({ SEED, broken: [] });
});

it("answers every method of every path", async () => {
  expect(Object.values(await brokenMethods(target))).toEqual([0, 0]);
});
