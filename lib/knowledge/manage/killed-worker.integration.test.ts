import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import type { WebServer } from "../../../scripts/serve/http-server.ts";
import { connection } from "../../db/client.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { apiCaller, type Caller } from "../../testing/api-caller.ts";
import { ask, document, newCompany, work } from "../../testing/knowledge.ts";
import { workerProcesses } from "../../testing/worker-process.ts";

const workers = workerProcesses();

let web: WebServer;
let scope: TenantScope;
let call: Caller;

beforeAll(async () => {
  web = await startApiServer();
  scope = await newCompany("Killed");
  call = await apiCaller(web.address(), scope, { scopes: ["manage"] });
});
afterAll(() => web.close(0));

const SOURCES = 50;
const textOf = (i: number, part: string) =>
  Array.from(
    { length: 4 },
    (_, section) => `# ${part} ${section}\n\nSource ${i} says ${part}. ${"It is so. ".repeat(2)}`,
  ).join("\n\n");

async function statuses(): Promise<Record<string, number>> {
  const { body } = await call<{ sources: { status: string }[] }>("GET", "/sources?limit=200");
  return Object.fromEntries(
    Map.groupBy(body.sources, ({ status }) => status)
      .entries()
      .map(([status, all]) => [status, all.length]),
  );
}

async function put(part: string): Promise<void> {
  const sources = Array.from({ length: SOURCES }, (_, i) => document(`s${i}`, textOf(i, part)));
  expect((await call("POST", "/sources/batch", { body: { sources } })).status).toBe(202);
}

/** Kills a worker that replaces the texts. @returns whether sources were left unfinished */
async function killWhilePutting(part: string): Promise<boolean> {
  await put(part);
  const worker = workers.start();
  // a worker that has done something is in the middle of its work
  while (!(await statuses()).ready) await delay(20);
  await worker.end("SIGKILL");
  return (await statuses()).processing !== undefined;
}

test("no source is left half processed when the worker is killed between 202 and ready", {
  timeout: 300_000,
}, async () => {
  await put("old");
  await work(scope);
  expect(await statuses()).toEqual({ ready: SOURCES });

  // a worker may finish before the kill on a busy machine
  const rounds = [1, 2, 3, 4, 5];
  let part = "";
  for (const round of rounds) {
    part = `new ${round}`;
    if (await killWhilePutting(part)) break;
  }
  expect((await statuses()).processing).toBeGreaterThan(0);
  // the lease of a killed worker would expire after 20 seconds
  await connection().db.execute(sql`update ragstone.jobs set lease_until = now() where state = 'running'`);
  await work(scope);
  expect(await statuses()).toEqual({ ready: SOURCES });
  const { response } = await ask(scope, { queryText: "what does source 7 say?", limit: 100 });
  const said = response.results.map(({ payload }) => payload.content);
  expect(said.filter((content) => !content.includes(`says ${part}.`))).toEqual([]);
});
