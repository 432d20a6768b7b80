import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { closeConnection, connect, connection, setConnection } from "../db/client.ts";
import { type EmbeddedDatabase, startOwner } from "../db/embedded/ensure-owner.ts";
import { migrate } from "../db/migrate.ts";
import { jobs, workers } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { addSources } from "../knowledge/intake/add.ts";
import { sourceInput } from "../knowledge/intake/source-input.ts";
import { ask, document, newCompany, work } from "../testing/knowledge.ts";
import { knowledgeSums } from "../testing/knowledge-sums.ts";
import { startWorker } from "../testing/worker-process.ts";

const KILLS = 6;
/** These kills come soon after a claim, which a kill at any moment may miss. */
const KILLS_AT_WORK = 4;
const KILL_OF_DATABASE = 3;
const SOURCES = 40;
/** Long enough for a worker to start, claim jobs and do many of them. */
const LONGEST_LIFE_MS = 2_500;

const texts = Array.from({ length: SOURCES }, (_, i) =>
  Array.from(
    { length: 3 + (i % 4) },
    (_, part) => `# Part ${part}\n\nSource ${i} says of part ${part}: ${"it is so. ".repeat(20)}`,
  ).join("\n\n"),
);

async function answersOf(scope: TenantScope) {
  const { response } = await ask(scope, { queryText: "what does source 7 say of part 2?", limit: 20 });
  return response.results.map(({ score, payload }) => ({
    score,
    sourceId: payload.sourceId,
    content: payload.content,
  }));
}

const countJobs = ({ companyId }: TenantScope, which: SQL) =>
  connection().db.$count(jobs, and(eq(jobs.companyId, companyId), eq(jobs.kind, "ingest"), which));
/** Jobs that a worker does, or did until it was killed. */
const HELD = sql`state = 'running' and lease_until > now()`;
const LEFT = sql`state in ('queued', 'running') and run_after <= now()`;

/** Waits until a worker does a job of the company. @returns false when none is left to do */
async function untilAtWork(scope: TenantScope): Promise<boolean> {
  while (await countJobs(scope, LEFT)) {
    if (await countJobs(scope, HELD)) return true;
    await delay(20);
  }
  return false;
}

describe("kill -9", () => {
  let folder: string;
  let database: EmbeddedDatabase | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ragstone-kill-"));
    // an embedded database of its own, because the test kills its process too
    if (env().databaseUrl) return;
    database = await startOwner(folder);
    setConnection(connect({ dataDir: folder }));
    await migrate();
  });
  afterAll(async () => {
    // a killed worker would count as running for a while
    await connection().db.delete(workers);
    await closeConnection();
    await database?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it(`of ${KILLS} workers, ${KILLS_AT_WORK} of them at work, loses no source, processes none twice and serves none in part`, {
    timeout: 600_000,
  }, async () => {
    const [cut, clean] = [await newCompany(), await newCompany()];
    const sources = texts.map((text, i) => sourceInput.parse(document(`s${i}`, text)));
    await addSources(cut, SYSTEM_ACTOR, sources);

    const kills: { atWork: boolean; afterMs: number; interrupted: number }[] = [];
    onTestFailed(() => console.error("The workers were killed at these moments:", kills));
    for (let kill = 0; kill < KILLS; kill++) {
      const worker = startWorker({ DATA_DIR: folder });
      const atWork = kill < KILLS_AT_WORK && (await untilAtWork(cut));
      const afterMs = Math.round(Math.random() * (atWork ? 300 : LONGEST_LIFE_MS));
      await delay(afterMs);
      await worker.end("SIGKILL");
      if (database?.child && kill === KILL_OF_DATABASE) {
        await end(database.child);
        await closeConnection();
        database = await startOwner(folder);
        setConnection(connect({ dataDir: folder }));
      }
      kills.push({ atWork, afterMs, interrupted: await countJobs(cut, HELD) });
      // the lease of a killed worker would expire after 20 seconds
      await connection().db.execute(sql`update ragstone.jobs set lease_until = now() where state = 'running'`);
    }
    expect(kills.reduce((sum, { interrupted }) => sum + interrupted, 0)).toBeGreaterThan(0);
    // the jobs of the last killed worker are requeued first
    for (let pass = 0; pass < 2; pass++) {
      await work(cut);
      await connection().db.execute(sql`update ragstone.jobs set run_after = now()`);
    }
    await work(cut);

    await addSources(clean, SYSTEM_ACTOR, sources);
    await work(clean);
    expect(await knowledgeSums(cut)).toEqual(await knowledgeSums(clean));
    expect(await knowledgeSums(cut)).toMatchObject({ ready: SOURCES, unembedded: 0, unfinished: 0 });
    expect(await answersOf(cut)).toEqual(await answersOf(clean));
  });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}
