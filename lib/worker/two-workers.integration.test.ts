import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { bundledModelDir } from "../ai/local/bundled-model.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { connection } from "../db/client.ts";
import { chunks, companies, embeddingModels, jobs, workers } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { modelConflict } from "../jobs/presence.ts";
import { addSources } from "../knowledge/intake/add.ts";
import { sourceInput } from "../knowledge/intake/source-input.ts";
import { document, newCompany, work } from "../testing/knowledge.ts";
import { knowledgeSums } from "../testing/knowledge-sums.ts";
import { workerProcesses } from "../testing/worker-process.ts";

const processes = workerProcesses();
// a process takes long to start on a busy machine
const longWait = { timeout: 200_000, interval: 300 };

/** As many sources of four chunks are written in several groups, so that a worker is stopped between them. */
const SEVERAL_GROUPS = 60;

const texts = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    sourceInput.parse(
      document(`s${i}`, Array.from({ length: 4 }, (_, part) => `# Part ${part}\n\nSource ${i}, ${part}.`).join("\n\n")),
    ),
  );

/** The models of the workers, in the order in which the workers started. */
async function models(): Promise<string[]> {
  const rows = await connection().db.select().from(workers).orderBy(workers.startedAt, workers.id);
  return rows.flatMap(({ model }) => model ?? []);
}
const unfinished = (scope: TenantScope) =>
  connection().db.$count(jobs, sql`company_id = ${scope.companyId} and state in ('queued', 'running')`);

async function servingModel({ companyId }: TenantScope): Promise<string | undefined> {
  const [row] = await connection()
    .db.select({ name: embeddingModels.name })
    .from(companies)
    .innerJoin(embeddingModels, eq(embeddingModels.id, companies.embeddingModelId))
    .where(eq(companies.id, companyId));
  return row?.name;
}

const registering = () =>
  connection().db.execute(
    sql`select from pg_stat_activity where query like '%create index if not exists embeddings_%' and wait_event_type = 'Lock'
      and datname = current_database()`,
  );

describe("two workers", () => {
  it.skipIf(!env().databaseUrl)(
    "work although one is stopped while it registers its embedding model",
    {
      timeout: 300_000,
    },
    async () => {
      const scope = await newCompany();
      await addSources(scope, SYSTEM_ACTOR, texts(2));
      const first = processes.start();
      await connection().db.transaction(async (tx) => {
        // the worker's new index waits for this lock
        await tx.execute(sql`lock table ragstone.embeddings_1 in row exclusive mode`);
        await vi.waitFor(async () => expect(await registering()).toHaveLength(1), longWait);
        first.child.kill("SIGSTOP");
      });
      const second = processes.start();
      await connection().db.execute(sql`update ragstone.jobs set lease_until = now() where state = 'running'`);
      await vi.waitFor(async () => expect(await unfinished(scope)).toBe(0), longWait);
      for (const worker of [first, second]) await worker.end("SIGTERM");
      await connection().db.delete(workers);
    },
  );

  it("write nothing twice when one of them is stopped for longer than its lease", { timeout: 300_000 }, async () => {
    const [cut, clean] = [await newCompany(), await newCompany()];
    const first = processes.start();
    await addSources(cut, SYSTEM_ACTOR, texts(SEVERAL_GROUPS));
    const stored = () => connection().db.$count(chunks, eq(chunks.companyId, cut.companyId));
    await vi.waitFor(async () => expect(await stored()).toBeGreaterThan(0), { ...longWait, interval: 20 });
    first.child.kill("SIGSTOP");
    expect(await unfinished(cut)).toBeGreaterThan(0);
    const [stopped, ...others] = await connection().db.select().from(workers);
    expect(others).toEqual([]);
    // its lease would expire after 20 seconds
    await connection().db.execute(sql`update ragstone.jobs set lease_until = now() where state = 'running'`);
    const second = processes.start();
    await vi.waitFor(async () => expect(await unfinished(cut)).toBe(0), longWait);
    const finished = new Date();
    first.child.kill("SIGCONT");
    await vi.waitFor(async () => {
      const [row] = await connection()
        .db.select()
        .from(workers)
        .where(eq(workers.id, stopped?.id ?? ""));
      expect(row?.seenAt.getTime()).toBeGreaterThan(finished.getTime());
    }, longWait);
    for (const worker of [first, second]) await worker.end("SIGTERM");

    await addSources(clean, SYSTEM_ACTOR, texts(SEVERAL_GROUPS));
    await work(clean);
    expect(await knowledgeSums(cut)).toEqual(await knowledgeSums(clean));
    expect(await knowledgeSums(cut)).toMatchObject({ ready: SEVERAL_GROUPS, unembedded: 0, unfinished: 0 });
  });

  it("with different embedding models work one after the other, and never mix vectors", {
    timeout: 300_000,
  }, async () => {
    const other = join(processes.folder(), "other-model");
    await symlink(bundledModelDir(), other);
    const scope = await newCompany();
    const [bundled, second] = [processes.start(), processes.start({ EMBEDDING_MODEL_DIR: other })];
    await vi.waitFor(async () => expect(await models()).toHaveLength(2), longWait);
    const [serving, waiting] = (await models())[0]?.includes("@") ? [second, bundled] : [bundled, second];
    await vi.waitFor(() => expect(waiting.output()).toContain("Two workers use different embedding models"), longWait);
    expect(await modelConflict()).toContain("Set the same embedding model on every server");

    await addSources(scope, SYSTEM_ACTOR, texts(3));
    await vi.waitFor(async () => expect(await unfinished(scope)).toBe(0), longWait);
    const before = await servingModel(scope);

    await serving.end("SIGTERM");
    await vi.waitFor(async () => expect(await servingModel(scope)).not.toBe(before), longWait);
    await vi.waitFor(async () => expect(await unfinished(scope)).toBe(0), longWait);
    expect(await knowledgeSums(scope)).toMatchObject({ ready: 3, unembedded: 0, unfinished: 0 });
    expect(await modelConflict()).toBeNull();
    await waiting.end("SIGTERM");
  });
});
