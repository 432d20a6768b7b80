import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connection } from "../db/client.ts";
import { appliedMigrations, inMigrationTurn, migrate } from "../db/migrate.ts";
import { HOUR_MS } from "../durations.ts";
import { env } from "../env.ts";
import { dataPaths } from "../paths.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { backupBeforeMigration, dailyBackup, latestBackup } from "./automatic-backups.ts";

/** Whether the database seems to change whenever it is read, and what was called. */
const database = vi.hoisted(() => ({ changes: false, attempts: 0, snapshots: 0, originals: 0 }));
vi.mock("../db/system/backup.ts", async (load) => {
  const actual = await load<typeof import("../db/system/backup.ts")>();
  const changedSince: typeof actual.changedSince = async (...given) => {
    database.attempts++;
    return database.changes || actual.changedSince(...given);
  };
  const withSnapshot: typeof actual.withSnapshot = (work) => {
    database.snapshots++;
    return actual.withSnapshot(work);
  };
  const versionOriginals: typeof actual.versionOriginals = (db) => {
    database.originals++;
    return actual.versionOriginals(db);
  };
  return { ...actual, changedSince, withSnapshot, versionOriginals };
});

testDatabase();

const folder = dataPaths(env().dataDir).backups;

describe("automatic backups", () => {
  beforeAll(async () => {
    await newCompany();
    await rm(folder, { recursive: true, force: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.skipIf(env().databaseUrl !== null)(
    "are written once a day, starting on the first day of the database",
    async () => {
      expect(await dailyBackup()).toBeNull();
      const tomorrow = Date.now() + 25 * HOUR_MS;
      expect(await dailyBackup(tomorrow)).toMatch(/backups\/daily-.*\.jsonl\.gz$/);
      // it has no originals, and the texts of all versions are read to find them
      expect(database.originals).toBe(0);
      expect(await dailyBackup(Date.now() + 23 * HOUR_MS)).toBeNull();
    },
  );

  it.skipIf(env().databaseUrl !== null)("are written once a day after the clock was set back", async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const future = Array.from({ length: 8 }, (_, i) => `daily-2999-01-0${i + 1}T00-00-00.jsonl.gz`);
    for (const name of future) await writeFile(join(folder, name), "");
    const made = await dailyBackup(Date.now() + 25 * HOUR_MS);
    expect(await readdir(folder)).toEqual(expect.arrayContaining([basename(made ?? ""), ...future]));
    expect(await latestBackup()).toBe(basename(made ?? ""));
    expect(await dailyBackup(Date.now() + 23 * HOUR_MS)).toBeNull();
    // the database and its backups are later
    expect(await dailyBackup(Date.now() - 25 * HOUR_MS)).not.toBeNull();
  });

  it("are written before a migration if there is data, and only then", async () => {
    expect(await backupBeforeMigration()).toBeNull();
    const last = (await appliedMigrations()).at(-1) ?? "";
    await connection().db.execute(sql`delete from ragstone.migrations where hash = ${last}`);
    try {
      expect(await backupBeforeMigration()).toMatch(/backups\/migration-.*\.jsonl\.gz$/);
    } finally {
      await connection().db.execute(sql`insert into ragstone.migrations (hash) values (${last})`);
    }
    expect(await migrate()).toBe(0);
  });

  it.skipIf(env().databaseUrl === null)("are written by one of the servers that start together", async () => {
    const last = (await appliedMigrations()).at(-1) ?? "";
    const applied = sql`insert into ragstone.migrations (hash) values (${last}) on conflict do nothing`;
    const start = () =>
      inMigrationTurn(async () => {
        const file = await backupBeforeMigration();
        await connection().db.execute(applied);
        return file;
      });
    await connection().db.execute(sql`delete from ragstone.migrations where hash = ${last}`);
    const files = await Promise.all([start(), start()]).finally(() => connection().db.execute(applied));
    expect(files.filter((file) => file !== null)).toEqual([expect.stringContaining("migration-")]);
  });

  it("keep the last seven of their kind, and no other files are deleted", async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const times = Array.from({ length: 9 }, (_, i) => `2026-01-0${i + 1}T00-00-00.jsonl.gz`);
    const [daily, old] = [times.map((time) => `daily-${time}`), times.map((time) => `migration-${time}`)];
    for (const name of [...daily, ...old, "manual-2025-01-01T00-00-00.jsonl.gz", "notes.txt"])
      await writeFile(join(folder, name), "");
    const last = (await appliedMigrations()).at(-1) ?? "";
    await connection().db.execute(sql`delete from ragstone.migrations where hash = ${last}`);
    const made = await backupBeforeMigration().finally(() =>
      connection().db.execute(sql`insert into ragstone.migrations (hash) values (${last})`),
    );
    const names = await readdir(folder);
    expect(names.filter((name) => old.includes(name)).sort()).toEqual(old.slice(3));
    expect(names).toEqual(expect.arrayContaining([...daily, "manual-2025-01-01T00-00-00.jsonl.gz", "notes.txt"]));
    expect(join(folder, (await latestBackup()) ?? "")).toBe(made);
  });

  it.skipIf(env().databaseUrl !== null)(
    "are postponed by an hour while the database keeps changing, and block it only after two days",
    async () => {
      await rm(folder, { recursive: true, force: true });
      const start = Date.now();
      const backupAt = (hours: number) => dailyBackup(start + hours * HOUR_MS);
      Object.assign(database, { changes: true, attempts: 0, snapshots: 0 });
      expect(await backupAt(30)).toBeNull();
      expect(await readdir(folder)).toEqual([]);
      const { attempts } = database;
      expect(attempts).toBeGreaterThan(1);
      expect(await backupAt(30.5)).toBeNull();
      expect(database).toMatchObject({ attempts, snapshots: 0 });
      expect(await backupAt(31)).toBeNull();
      expect(database).toMatchObject({ attempts: 2 * attempts, snapshots: 0 });
      expect(await backupAt(49)).toMatch(/daily-/);
      expect(database.snapshots).toBe(1);
      await rm(folder, { recursive: true, force: true });
      database.changes = false;
      expect(await backupAt(30)).toMatch(/daily-/);
      expect(database.snapshots).toBe(1);
    },
    // it reads the whole test database eleven times
    180_000,
  );
});
