import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { connection } from "../db/client.ts";
import { appliedMigrations, pendingMigrations } from "../db/migrate.ts";
import { DAY_MS } from "../durations.ts";
import { env } from "../env.ts";
import { log } from "../log.ts";
import { dataPaths } from "../paths.ts";
import { writeBackup } from "./write.ts";

const KEPT = 7;
const AUTOMATIC = /^(?:daily|migration)-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)\.jsonl\.gz$/;

/** Where a backup goes that names no file. */
export function defaultBackupFile(kind: "manual" | "daily" | "migration"): string {
  const at = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  return join(dataPaths(env().dataDir).backups, `${kind}-${at}.jsonl.gz`);
}

/**
 * To be called before a migration: writes a backup when there is something to migrate and something to lose.
 * @returns the file, if there is one
 */
export async function backupBeforeMigration(): Promise<string | null> {
  if ((await appliedMigrations()).length === 0 || (await pendingMigrations()).length === 0) return null;
  const [row] = await connection().db.execute<{ full: boolean }>(sql`
    select exists (select from ragstone.companies) or exists (select from ragstone.users) as full`);
  if (!row?.full) return null;
  return writeKept("migration");
}

/**
 * Writes the embedded database's backup of the day when the last one, or the database itself, is a day old; a server has
 * an operator with better means. May be called often.
 * @returns the file, if one was due
 */
export async function dailyBackup(now = Date.now()): Promise<string | null> {
  if (!connection().embedded) return null;
  const { mtimeMs: born } = await stat(join(dataPaths(env().dataDir).database, "PG_VERSION"));
  const names = await automaticBackups();
  const last = Math.max(born, ...names.filter((name) => name.startsWith("daily-")).map(timeOf));
  return now - last < DAY_MS ? null : writeKept("daily");
}

/** The newest backup that was made without being asked for. */
export async function latestBackup(): Promise<string | null> {
  return (await automaticBackups()).at(-1) ?? null;
}

/** Originals are left out: they lie beside, each written once and synced. */
async function writeKept(kind: "daily" | "migration"): Promise<string> {
  const { file, bytes } = await writeBackup(defaultBackupFile(kind), { originals: false });
  log().info({ file, bytes }, "backup written");
  const names = await automaticBackups();
  for (const name of names.slice(0, -KEPT)) await rm(join(dataPaths(env().dataDir).backups, name));
  return file;
}

/** Oldest first. */
async function automaticBackups(): Promise<string[]> {
  const folder = dataPaths(env().dataDir).backups;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  return names.filter((name) => AUTOMATIC.test(name)).sort((a, b) => timeOf(a) - timeOf(b));
}

function timeOf(name: string): number {
  const [date = "", time = ""] = (AUTOMATIC.exec(name)?.[1] ?? "").split("T");
  return Date.parse(`${date}T${time.replaceAll("-", ":")}Z`);
}
