import { afterAll, beforeAll, expect, it } from "vitest";
import { createKey } from "../../lib/api-keys/service.ts";
import { SYSTEM_ACTOR } from "../../lib/audit/record.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { testDatabase } from "../../lib/testing/database.ts";
import { addAndIngest, document, newCompany } from "../../lib/testing/knowledge.ts";
import type { WebServer } from "../../scripts/serve/http-server.ts";
import { documents, questions } from "../corpus.ts";
import { readApiDocument } from "./api-document.ts";
import { startApiServer } from "./api-server.ts";
import { CANARY, Findings, type FuzzTarget, fuzzApi, repeatConcurrently } from "./contract-fuzz.ts";
import { asker, brokenInvariants, brokenMethods } from "./contract-invariants.ts";
import { createRandom } from "./random.ts";

testDatabase();

const REQUESTS = 200;
const CLIENTS = 4;
const SEED = 7;
let web: WebServer;
let target: FuzzTarget;

beforeAll(async () => {
  web = await startApiServer();
  const scope: TenantScope = await newCompany("Contract");
  await addAndIngest(scope, ...documents(40));
  await addAndIngest(await newCompany("Other"), document("secret", `The other company's word is ${CANARY}.`));
  const { token } = await createKey(scope, SYSTEM_ACTOR, { name: "fuzz", rateLimitPerMinute: 0 });
  const url = web.address();
  const findings = new Findings((line) => console.warn(`seed ${SEED}: ${line}`));
  target = { url, token, document: await readApiDocument(url), findings, random: createRandom(SEED) };
});

afterAll(() => web.close(0));

it("keeps the contract for any request", async () => {
  await repeatConcurrently(REQUESTS, CLIENTS, () => fuzzApi(target));
  // response times are checked in the long run only, because this machine may be busy
  expect({ seed: SEED, ...target.findings.breaches }).toEqual({ seed: SEED });
  expect(target.findings.statuses).toMatchObject({ 200: expect.any(Number), 422: expect.any(Number) });
});

it("keeps all invariants for every question", async () => {
  const broken = await brokenInvariants(asker(target.url, target.token), questions(2, SEED));
  expect({ SEED, broken: Object.entries(broken).filter(([, times]) => times > 0) }).toEqual({ SEED, broken: [] });
});

it("answers every method of every path", async () => {
  expect(Object.values(await brokenMethods(target))).toEqual([0, 0]);
});
