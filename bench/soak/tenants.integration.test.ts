import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../lib/testing/database.ts";
import { type FilledCompany, filledCompany } from "../../lib/testing/filled-company.ts";
import { lengthenDatabaseTimeout } from "../../lib/testing/long-limits.ts";
import type { WebServer } from "../../scripts/serve/http-server.ts";
import { startApiServer } from "./api-server.ts";
import { createRandom } from "./random.ts";
import { idsByName, withUnusedIds } from "./tenant-ids.ts";
import { keysOf } from "./tenant-keys.ts";
import { reachTargets } from "./tenant-reach.ts";
import { probeRequests } from "./tenant-requests.ts";
import { ALL_ROUNDS, callsByRound, LAYERS, probeServices, switchRowSecurity } from "./tenant-services.ts";
import { changesBetween, stateOf } from "./tenant-state.ts";
import { discoverRoutes, type Target } from "./tenant-targets.ts";

testDatabase();
lengthenDatabaseTimeout();

const HTTP_PROBES = 150;
/** A busy machine may need three times what a quiet one needs. */
const TEST_TIMEOUT_MS = 180_000;
let attacker: FilledCompany;
let victim: FilledCompany;
let web: WebServer;
let operations: Target[];

beforeAll(async () => {
  web = await startApiServer();
  operations = await discoverRoutes(web.address(), "app/v1/**/route.ts");
  attacker = await filledCompany("gneissite");
  victim = await filledCompany("kyanitic");
});

afterAll(() => web.close(0));

afterEach(() => switchRowSecurity("enable"));

test.each(LAYERS)("a company cannot see or change data of another company: %s", async (layer) => {
  // safe in the tests' own database, where nothing else runs in the meantime
  if (layer === "tenant scope alone") await switchRowSecurity("disable");
  const report = await probeServices(attacker, victim, layer, 1);
  expect(report.leaks).toEqual([]);
  expect(report.probes).toBeGreaterThan(100);
});

test("an unused id takes the place of every id", () => {
  const [used, unused] = [idsByName(victim), idsByName(withUnusedIds(victim))];
  const ids = Object.keys(victim).filter((name) => name.endsWith("Id") && name !== "externalId");
  expect([...used.keys()].sort()).toEqual(ids.sort());
  expect(ids.filter((name) => used.get(name) === unused.get(name))).toEqual([]);
});

test("everyone calls every method in a full run", () => {
  const byMethod = Map.groupBy(callsByRound(ALL_ROUNDS), ({ name }) => name);
  const callers = [...byMethod].map(([name, calls]) => [name, new Set(calls.map(({ caller }) => caller)).size]);
  expect(callers.filter(([, count]) => count !== ALL_ROUNDS)).toEqual([]);
  expect(callers.length).toBeGreaterThan(100);
});

test(
  "a key can use every operation of the API with ids of its company",
  async () => {
    const company = await filledCompany("andesine");
    const tokens = await keysOf(company, company);
    const reach = await reachTargets(web.address(), company, { targets: operations, tokens });
    expect(reach.missed).toEqual([]);
    expect(reach.fitting.size).toBeGreaterThan(30);
    expect(reach.showing.length).toBeGreaterThan(8);
  },
  TEST_TIMEOUT_MS,
);

test(
  "a key can use no operation of the API with ids of another company",
  async () => {
    const before = await stateOf(victim);
    const tokens = await keysOf(attacker, victim);
    const fitting = new Map(operations.map(({ name }) => [name, "sourceId"]));
    const attack = { company: attacker, victim, targets: operations, tokens, fitting };
    const { leaks } = await probeRequests(web.address(), { ...attack, count: HTTP_PROBES, random: createRandom(7) });
    expect([...leaks, ...changesBetween(before, await stateOf(victim))]).toEqual([]);
  },
  TEST_TIMEOUT_MS,
);

test("the probes find leaks when neither layer protects", async () => {
  await switchRowSecurity("disable");
  const { leaks } = await probeServices(attacker, victim, "neither", 1);
  expect(leaks.filter((leak) => leak.includes("shows the other company's word")).length).toBeGreaterThan(10);
});
