import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createModels, RUNNING_MODELS } from "../ai/models.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { jobs } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { DAY_MS } from "../durations.ts";
import { env, parseEnv } from "../env.ts";
import { browseSources } from "../knowledge/browse/browse.ts";
import { browseQuery } from "../knowledge/browse/browse-query.ts";
import { outcomeOf, progressOf } from "../knowledge/ingest/progress.ts";
import { addFiles, addSources } from "../knowledge/intake/add.ts";
import { sourceInput } from "../knowledge/intake/source-input.ts";
import { sha256 } from "../sha256.ts";
import { testDatabase } from "../testing/database.ts";
import { document, newCompany, work } from "../testing/knowledge.ts";
import { type ProviderServer, startProviderServer } from "../testing/provider-server.ts";
import { runWorker } from "./worker.ts";

const { db } = testDatabase();
const inputs = ["a", "b", "c"].map((name) => sourceInput.parse(document(name, `The letter ${name}.`)));

let provider: ProviderServer;
let scope: TenantScope;
beforeAll(async () => {
  provider = await startProviderServer({ dimensions: 256 });
});
beforeEach(async () => {
  provider.fail(null);
  scope = await newCompany();
});
afterEach(() => {
  RUNNING_MODELS.set();
});
afterAll(() => provider.close());

function chooseProvider(variables: object): void {
  const remote = { OPENAI_BASE_URL: `${provider.url}/v1`, ANSWER_MODEL: "local", ...variables };
  RUNNING_MODELS.set(createModels(parseEnv(remote)));
}

const ofCompany = () => and(eq(jobs.companyId, scope.companyId), eq(jobs.kind, "ingest"));

/** Makes the outage look longer, and the next try due now. */
async function later(ms: number): Promise<void> {
  const since = sql`(${jobs.payload} ->> 'unavailableSince')::float8 - ${ms}::float8`;
  const payload = sql`jsonb_build_object('unavailableSince', ${since})`;
  await db.update(jobs).set({ payload, runAfter: sql`now()` }).where(ofCompany());
}

const add = async () => (await addSources(scope, SYSTEM_ACTOR, inputs)).map(({ versionId }) => versionId);

async function rows() {
  const page = await browseSources(scope, SYSTEM_ACTOR, browseQuery.parse({ sort: "title", descending: false }));
  return page.rows.map(({ sourceId, status, progress }) => ({ sourceId, status, waitsFor: progress?.waitsFor }));
}

test.each([
  ["with known dimensions", { EMBEDDING_DIMENSIONS: "256" }],
  ["with unknown dimensions", { EMBEDDING_MODEL: "somebody-elses" }],
])(
  "sources wait, with the reason, while a provider %s is unavailable, and are processed afterwards",
  async (_, variables) => {
    chooseProvider(variables);
    provider.fail({ kind: "status", status: 503 });
    const versionIds = await add();
    for (let round = 0; round < 8; round++) {
      await work(scope);
      await later(60_000);
    }
    const reason = expect.stringMatching(/^The provider failed with status 503.*\.$/);
    expect(await rows()).toEqual(inputs.map(({ sourceId }) => ({ sourceId, status: "processing", waitsFor: reason })));
    expect((await outcomeOf(scope, SYSTEM_ACTOR, versionIds)).failed).toHaveLength(inputs.length);

    provider.fail(null);
    chooseProvider(variables);
    await work(scope);
    expect((await rows()).map(({ status }) => status)).toEqual(["ready", "ready", "ready"]);
    expect((await outcomeOf(scope, SYSTEM_ACTOR, versionIds)).failed).toEqual([]);
  },
);

test("a version fails after 24 hours of retries, with the reason", async () => {
  chooseProvider({ EMBEDDING_DIMENSIONS: "256" });
  provider.fail({ kind: "status", status: 503 });
  const versionIds = await add();
  await work(scope);
  await later(DAY_MS);
  await work(scope);
  expect((await rows()).map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
  const { failed } = await outcomeOf(scope, SYSTEM_ACTOR, versionIds);
  expect(failed.map(({ reason }) => reason)).toEqual(inputs.map(() => expect.stringMatching(/for 24 hours.*provider/)));
});

test("an outage is reported after 30 seconds, and adding the same source again retries immediately", async () => {
  chooseProvider({ EMBEDDING_DIMENSIONS: "256" });
  provider.fail({ kind: "status", status: 503 });
  const versionIds = await add();
  await work(scope);
  expect(await progressOf(scope, SYSTEM_ACTOR, versionIds)).toEqual({ done: 0, deferred: 0, total: 3 });
  await later(31_000);
  await db
    .update(jobs)
    .set({ runAfter: new Date(Date.now() + 60_000) })
    .where(ofCompany());
  expect(await progressOf(scope, SYSTEM_ACTOR, versionIds)).toEqual({ done: 0, deferred: 3, total: 3 });

  provider.fail(null);
  chooseProvider({ EMBEDDING_DIMENSIONS: "256" });
  expect(await add()).toEqual(versionIds);
  await work(scope);
  expect(await progressOf(scope, SYSTEM_ACTOR, versionIds)).toEqual({ done: 3, deferred: 0, total: 3 });
});

test("jobs that an earlier release deferred are still reported as deferred", async () => {
  const versionIds = await add();
  const deferred = {
    payload: { awaySince: Date.now() - 60_000 },
    lastError: "The provider failed.",
    runAfter: new Date(Date.now() + 60_000),
  };
  await db.update(jobs).set(deferred).where(ofCompany());
  expect(await progressOf(scope, SYSTEM_ACTOR, versionIds)).toEqual({ done: 0, deferred: 3, total: 3 });
  expect((await rows()).map(({ waitsFor }) => waitsFor)).toEqual(Array(3).fill("The provider failed."));
});

test("only the source whose original cannot be read waits for the file storage", async () => {
  const bytes = Buffer.from("# Letters\n\nThe letter d.");
  const original = join(env().dataDir, "files", scope.companyId, sha256(bytes));
  await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "d.md", bytes }]);
  await rm(original);
  await mkdir(original);
  await add();
  for (let round = 0; round < 8; round++) {
    await work(scope);
    await later(60_000);
  }
  expect((await rows()).map(({ status, waitsFor }) => [status, waitsFor])).toEqual([
    ...[
      ["ready", undefined],
      ["ready", undefined],
      ["ready", undefined],
    ],
    ["processing", expect.stringContaining("EISDIR")],
  ]);
  await rm(original, { recursive: true });
  await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "d.md", bytes }]);
  await work(scope);
  expect((await rows()).at(-1)).toMatchObject({ status: "ready" });
});

test("jobs whose failure cannot be recorded are released, and not left to a worker that seems dead", async () => {
  chooseProvider({ EMBEDDING_DIMENSIONS: "256" });
  provider.fail({ kind: "status", status: 503 });
  await add();
  await db.execute(sql`create function ragstone.refuse_failure() returns trigger language plpgsql as
    'begin if new.last_error is not null then raise exception ''the database is unavailable''; end if; return new; end'`);
  await db.execute(sql`create trigger refuse_failure before update on ragstone.jobs
    for each row execute function ragstone.refuse_failure()`);
  onTestFinished(async () => {
    await db.execute(sql`drop function ragstone.refuse_failure cascade`);
  });

  const asked = provider.calls.length;
  const stop = new AbortController();
  const working = runWorker({ signal: stop.signal, companyId: scope.companyId });
  const states = () =>
    db.select({ state: jobs.state, deaths: jobs.deaths, owner: jobs.leaseOwner }).from(jobs).where(ofCompany());
  await vi.waitFor(() => expect(provider.calls.length).toBeGreaterThan(asked), 20_000);
  await vi.waitFor(
    async () => expect(await states()).toEqual(inputs.map(() => ({ state: "queued", deaths: 0, owner: null }))),
    20_000,
  );
  stop.abort();
  await working;
});
