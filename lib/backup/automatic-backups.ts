import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { appliedMigrations, pendingMigrations } from "../db/migrate.ts";
import { isDatabaseEmpty } from "../db/system/backup.ts";
import { isEmbedded } from "../db/system/database.ts";
import { DAY_MS, HOUR_MS } from "../durations.ts";
import { env } from "../env.ts";
import { log } from "../log.ts";
import { dataPaths } from "../paths.ts";
import { removeLeftDrafts } from "../write-whole.ts";
import { DatabaseBusyError, writeBackup } from "./write.ts";

/** Of each kind. */
const BACKUPS_KEPT = 7;
/** Every attempt reads the whole database, so the next ones wait. */
const POSTPONED_MS = HOUR_MS;
/** After this long without a backup, the next one is more important than the requests that it blocks. */
const OVERDUE_MS = 2 * DAY_MS;
const AUTOMATIC_NAME = /^(?:daily|migration)-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)\.jsonl\.gz$/;

/** When the daily backup was last postponed in this process. */
let postponedAt = Number.NEGATIVE_INFINITY;

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
  return writeAutomatic("migration", true);
}

/**
 * Writes the daily backup of the embedded database when the last backup, or the database itself, is a day old. While
 * the database keeps changing, the backup is postponed, for up to a day, rather than block everybody. Database servers
 * are left to the operator, who has better tools. May be called often.
 * @returns the file, or null when no backup was due or it was postponed
 */
export async function dailyBackup(now = Date.now()): Promise<string | null> {
  if (!isEmbedded()) return null;
  const { mtimeMs: createdMs } = await stat(join(dataPaths(env().dataDir).database, "PG_VERSION"));
  const names = await automaticBackups(now);
  const times = [createdMs, ...names.filter((name) => name.startsWith("daily-")).map(timeOf)];
  // a time later than now does not count: the clock was set back
  const isWithin = (ms: number) => (time: number) => time <= now && now - time < ms;
  if (times.some(isWithin(DAY_MS)) || isWithin(POSTPONED_MS)(postponedAt)) return null;
  try {
    return await writeAutomatic("daily", !times.some(isWithin(OVERDUE_MS)));
  } catch (error) {
    if (!(error instanceof DatabaseBusyError)) throw error;
    postponedAt = now;
    log().warn({ reason: error.message }, "the daily backup is postponed by an hour");
    return null;
  }
}

/** The newest automatic backup. */
export async function latestBackup(): Promise<string | null> {
  return (await automaticBackups()).at(-1) ?? null;
}

/** Writes a backup without originals: they are stored next to it, each written once and synced. */
async function writeAutomatic(kind: "daily" | "migration", mayBlock: boolean): Promise<string> {
  // their names have a time, so no later backup writes the same file
  await removeLeftDrafts(dataPaths(env().dataDir).backups, (name) => AUTOMATIC_NAME.test(name));
  const { file, bytes } = await writeBackup(defaultBackupFile(kind), { originals: false, mayBlock });
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
