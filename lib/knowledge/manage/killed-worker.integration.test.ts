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

const SOURCES = 30;
const textOf = (i: number, part: string) =>
  Array.from(
    { length: 4 },
    (_, section) => `# ${part} ${section}\n\nSource ${i} says ${part}. ${"It is so. ".repeat(40)}`,
  ).join("\n\n");

async function statuses(): Promise<Record<string, number>> {
  const { body } = await call<{ sources: { status: string }[] }>("GET", "/sources?limit=200");
  return Object.fromEntries(
    Map.groupBy(body.sources, ({ status }) => status)
      .entries()
      .map(([status, all]) => [status, all.length]),
  );
}

test("no source is left half processed when the worker is killed between 202 and ready", {
  timeout: 300_000,
}, async () => {
  for (const part of ["old", "new"]) {
    const sources = Array.from({ length: SOURCES }, (_, i) => document(`s${i}`, textOf(i, part)));
    const put = await call("POST", "/sources/batch", { body: { sources } });
    expect(put.status).toBe(202);
    const before = await statuses();
    const worker = workers.start();
    // a worker that has done something is in the middle of its work
    while ((await statuses()).ready === before.ready && (await statuses()).processing) await delay(50);
    await worker.end("SIGKILL");
    // the lease of a killed worker would expire after 20 seconds
    await connection().db.execute(sql`update ragstone.jobs set lease_until = now() where state = 'running'`);
    // jobs of killed workers are requeued first, and some wait a minute
    for (let pass = 0; pass < 3; pass++) {
      await work(scope);
      await connection().db.execute(sql`update ragstone.jobs set run_after = now() where kind = 'ingest'`);
    }
    expect(await statuses()).toEqual({ ready: SOURCES });
    const { response } = await ask(scope, { queryText: "what does source 7 say?", limit: 100 });
    const said = response.results.map(({ payload }) => payload.content);
    expect(said.filter((content) => !content.includes(`says ${part}.`))).toEqual([]);
  }
});
