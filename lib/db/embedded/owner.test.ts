import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lockHolder } from "../../folder-lock.mjs";
import { ensureOwner, startOwner } from "./ensure-owner.ts";
import { runMaintenance } from "./housekeeping.ts";
import { embeddedConnectionOptions, socketPath } from "./socket.ts";

let folder: string;
let dataDir: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ragstone-owner-"));
  // a path too long for a socket inside the folder
  dataDir = join(folder, "d".repeat(120));
});
afterAll(() => {
  rmSync(dirname(socketPath(dataDir)), { recursive: true, force: true });
  rmSync(folder, { recursive: true });
});

const client = () => postgres({ ...embeddedConnectionOptions(dataDir), max: 1 });
const holder = () => lockHolder(dataDir, socketPath(dataDir));

describe("the owner of an embedded database", { timeout: 60_000 }, () => {
  it("listens where only this user can connect, serves several clients, and exits when released", async () => {
    const owner = await ensureOwner(dataDir);
    expect(statSync(owner.socketPath).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(owner.socketPath)).mode & 0o777).toBe(0o700);
    const sql = client();
    await sql`create table kept (n int)`;
    const files = readdirSync(join(dataDir, "db"), { recursive: true, encoding: "utf8" });
    // the engine removes its temporary files at any moment
    const modeOf = (name: string) => statSync(join(dataDir, "db", name), { throwIfNoEntry: false })?.mode ?? 0;
    const open = files.filter((name) => (modeOf(name) & 0o077) !== 0);
    expect(open).toEqual([]);
    const again = await ensureOwner(dataDir);
    expect(again.child).toBeUndefined();
    await again.stop();
    await sql`insert into kept values (1)`;
    await expect(startOwner(dataDir)).rejects.toThrow(`is in use by process ${owner.child?.pid}`);
    await sql.end();
    await owner.stop();
    // it exits with 1 when the engine cannot close
    expect(owner.child?.signalCode).toBe("SIGKILL");
    expect(await holder()).toBeUndefined();
  });

  it("keeps every acknowledged row when it is killed, and the next owner takes over", async () => {
    const owner = await ensureOwner(dataDir);
    const sql = client();
    await sql`insert into kept select generate_series(2, 500)`;
    owner.child?.kill("SIGKILL");
    await expect.poll(() => owner.child?.signalCode).toBe("SIGKILL");
    const next = await ensureOwner(dataDir);
    expect(await sql`select count(*)::int as n from kept`).toEqual([{ n: 500 }]);
    await sql.end();
    await next.stop();
  });

  it("keeps running for a client when its parent is killed, and exits when the client has left", async () => {
    const parent = spawn(process.execPath, [
      "-e",
      `const { ensureOwner } = await import(${JSON.stringify(new URL("./ensure-owner.ts", import.meta.url).href)});
       const { child } = await ensureOwner(${JSON.stringify(dataDir)});
       console.log(child.pid);`,
    ]);
    const [pid] = await once(parent.stdout, "data");
    const sql = client();
    await sql`select 1`;
    parent.kill("SIGKILL");
    await once(parent, "exit");
    expect(await sql`select count(*)::int as n from kept`).toEqual([{ n: 500 }]);
    expect(await holder()).toBe(Number(pid));
    await sql.end();
    await expect.poll(holder, { timeout: 30_000 }).toBeUndefined();
  });

  it("runs the vacuum, statistics and checkpoint that PGlite lacks", async () => {
    const owner = await ensureOwner(dataDir);
    const sql = client();
    await sql`create table big as select n, repeat(md5(n::text), 60) as text from generate_series(1, 40000) n`;
    await sql`delete from big where n % 2 = 0`;
    // otherwise the counts of the deletion would be reported after the vacuum
    await sql`select pg_stat_force_next_flush()`;
    const checkpoint = () => sql`select redo_lsn from pg_control_checkpoint()`.then(([row]) => row?.redo_lsn);
    const before = await checkpoint();
    await runMaintenance(dataDir);
    expect(await checkpoint()).not.toBe(before);
    const [big] = await sql`
      select n_dead_tup::int as dead, n_mod_since_analyze::int as changed from pg_stat_user_tables where relname = 'big'`;
    expect(big).toEqual({ dead: 0, changed: 0 });
    // a larger sample of a long table would stay in the engine's memory
    const [sample] = await sql`
      select cardinality(histogram_bounds::text::int[]) - 1 as parts from pg_stats where tablename = 'big' and attname = 'n'`;
    expect(sample?.parts).toBe(30);
    await sql.end();
    await owner.stop();
  });
});
