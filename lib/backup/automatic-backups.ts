import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { appliedMigrations, pendingMigrations } from "../db/migrate.ts";
import { isDatabaseEmpty } from "../db/system/backup.ts";
import { isEmbedded } from "../db/system/database.ts";
import { DAY_MS } from "../durations.ts";
import { env } from "../env.ts";
import { log } from "../log.ts";
import { dataPaths } from "../paths.ts";
import { removeLeftDrafts } from "../write-whole.ts";
import { writeBackup } from "./write.ts";

/** Of each kind. */
const BACKUPS_KEPT = 7;
const AUTOMATIC_NAME = /^(?:daily|migration)-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)\.jsonl\.gz$/;

/** The file of a backup when none is named. */
export function defaultBackupFile(kind: "manual" | "daily" | "migration"): string {
  const at = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  return join(dataPaths(env().dataDir).backups, `${kind}-${at}.jsonl.gz`);
}

/**
 * Writes a backup before a migration, if there are migrations to apply and data to lose.
 * @returns the file, or null
 */
export async function backupBeforeMigration(): Promise<string | null> {
  if ((await appliedMigrations()).length === 0 || (await pendingMigrations()).length === 0) return null;
  if (await isDatabaseEmpty()) return null;
  return writeAutomatic("migration");
}

/**
 * Writes the daily backup of the embedded database when the last backup, or the database itself, is a day old. Database
 * servers are left to the operator, who has better tools. May be called often.
 * @returns the file, or null when no backup was due
 */
export async function dailyBackup(now = Date.now()): Promise<string | null> {
  if (!isEmbedded()) return null;
  const { mtimeMs: createdMs } = await stat(join(dataPaths(env().dataDir).database, "PG_VERSION"));
  const names = await automaticBackups(now);
  const times = [createdMs, ...names.filter((name) => name.startsWith("daily-")).map(timeOf)];
  const isRecent = times.some((time) => time <= now && now - time < DAY_MS);
  return isRecent ? null : writeAutomatic("daily");
}

/** The newest automatic backup. */
export async function latestBackup(): Promise<string | null> {
  return (await automaticBackups()).at(-1) ?? null;
}

/** Writes a backup without originals: they are stored next to it, each written once and synced. */
async function writeAutomatic(kind: "daily" | "migration"): Promise<string> {
  // their names have a time, so no later backup writes the same file
  await removeLeftDrafts(dataPaths(env().dataDir).backups, (name) => AUTOMATIC_NAME.test(name));
  const { file, bytes } = await writeBackup(defaultBackupFile(kind), { originals: false });
  log().info({ file, bytes }, "backup written");
  // per kind: a migration that fails at every start must not replace the daily backups
  const names = (await automaticBackups()).filter((name) => name.startsWith(`${kind}-`));
  for (const name of names.slice(0, -BACKUPS_KEPT)) await rm(join(dataPaths(env().dataDir).backups, name));
  return file;
}

/** Sorted by time, oldest first. Without those that are later than now: they were written before the clock was set back. */
async function automaticBackups(now = Date.now()): Promise<string[]> {
  const folder = dataPaths(env().dataDir).backups;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  return names.filter((name) => AUTOMATIC_NAME.test(name) && timeOf(name) <= now).sort((a, b) => timeOf(a) - timeOf(b));
}

function timeOf(name: string): number {
  const [date = "", time = ""] = (AUTOMATIC_NAME.exec(name)?.[1] ?? "").split("T");
  return Date.parse(`${date}T${time.replaceAll("-", ":")}Z`);
}
