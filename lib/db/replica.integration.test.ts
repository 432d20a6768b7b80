import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { readAround } from "../knowledge/browse/read-around.ts";
import { IndexMemory, setIndexMemory } from "../retrieval/memory/index-memory.ts";
import { freePort } from "../testing/free-port.ts";
import { addAndIngest, ask, document, newCompany } from "../testing/knowledge.ts";
import { closeConnection, connect, connection, setConnection } from "./client.ts";
import { migrate } from "./migrate.ts";
import { closeReplica, replica, setReplica } from "./replica.ts";
import { replicaLag } from "./system/database.ts";
import type { TenantScope } from "./tenant.ts";

const isInstalled = runScript("check") === 0;

function runScript(...args: string[]) {
  return spawnSync("scripts/test/native-postgres.sh", args, { stdio: "ignore" }).status;
}

describe.runIf(isInstalled)("a streaming replica", () => {
  const folders = ["primary", "replica"].map((name) => mkdtempSync(join(tmpdir(), `ragstone-${name}-`)));
  const [primaryFolder = "", replicaFolder = ""] = folders;
  const memory = new IndexMemory(2 ** 26);
  let scope: TenantScope;

  beforeAll(async () => {
    const url = await started("start", primaryFolder);
    setConnection(connect({ url }));
    await migrate(connection());
    // the replica logs what it is asked
    await connection().db.execute(sql`alter role postgres set log_statement = 'all'`);
    setReplica(await started("replica", replicaFolder, url));
    setIndexMemory(memory);
    scope = await newCompany();
    await addAndIngest(
      scope,
      document("hours", "The museum opens at nine.", { contentCategory: "visit" }),
      document("price", "A ticket costs twelve euros.", { contentCategory: "visit" }),
      document("parking", "Cars park behind the mill."),
    );
    await ask(scope, { queryText: "museum" });
    await memory.untilLoaded();
    await untilReplayed();
    expect(await replicaLag()).toMatchObject({ isStandby: true });
  });

  afterAll(async () => {
    setIndexMemory();
    await Promise.all([closeConnection(), closeReplica()]);
    for (const folder of folders) {
      runScript("stop", folder);
      rmSync(folder, { recursive: true, force: true });
    }
  });

  async function started(command: string, folder: string, ...more: string[]): Promise<string> {
    const port = await freePort();
    expect(runScript(command, folder, String(port), ...more)).toBe(0);
    return `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  async function untilReplayed() {
    const [now] = await connection().db.execute(sql`select pg_current_wal_insert_lsn() as written`);
    // at the end of a page, that is a header beyond the last record, which the replica passes with the next one
    await connection().db.execute(sql`select pg_logical_emit_message(true, 'test', '')`);
    await vi.waitFor(async () => {
      const passed = sql`select pg_last_wal_replay_lsn() > ${now?.written}::pg_lsn as passed`;
      expect(await replica()?.db.execute(passed)).toEqual([{ passed: true }]);
    }, 20_000);
  }

  /** What the replica has read since `work` began. */
  async function readByReplica(work: () => Promise<unknown>): Promise<string> {
    const log = () => readFileSync(join(replicaFolder, "log"), "utf8");
    const before = log().length;
    await work();
    return log().slice(before);
  }

  async function found(queryText: string, filters = {}): Promise<string[]> {
    const { response, trace } = await ask(scope, { queryText, filters });
    expect(trace.index).toBe("memory");
    return response.results.map(({ payload }) => payload.sourceId);
  }

  it("reads keyword statistics, filters, chunks and the text around one", async () => {
    const read = await readByReplica(async () => {
      expect((await found("What does a ticket cost?"))[0]).toBe("price");
      expect((await found("Where is the mill?", { contentCategory: ["visit"] })).sort()).toEqual(["hours", "price"]);
    });
    for (const table of ["lexical_postings", "sources", "chunks"]) expect(read).toContain(table);
    const { response } = await ask(scope, { queryText: "What does a ticket cost?" });
    const text = await readByReplica(() => readAround(scope, SYSTEM_ACTOR, response.results[0]?.id ?? "", 1_000));
    expect(text).toContain("version_chunks");
  });

  it("does not answer while it is behind", async () => {
    await replica()?.db.execute(sql`select pg_wal_replay_pause()`);
    await addAndIngest(scope, document("late", "On Fridays the gallery stays open late."));
    expect((await found("Is the gallery open late on Fridays?"))[0]).toBe("late");
    await replica()?.db.execute(sql`select pg_wal_replay_resume()`);
    await untilReplayed();
    expect(await readByReplica(() => found("Does the gallery have late hours?"))).toContain("content_stamp");
  });

  it("is left alone after a failure, and the database answers", async () => {
    runScript("stop", replicaFolder);
    expect((await found("Do cars park there?"))[0]).toBe("parking");
    expect((await found("Which euros are accepted for tickets?"))[0]).toBe("price");
  });
});
