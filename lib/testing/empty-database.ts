import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { startOwner } from "../db/embedded/ensure-owner.ts";
import { dataPaths } from "../paths.ts";

const CACHE = "node_modules/.cache/ragstone";

/** Gives a new data folder an empty database by copying one: creating it takes five times as much processor time. */
export async function copyEmptyDatabase(dataDir: string): Promise<void> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync("node_modules/@electric-sql/pglite/package.json", "utf8")));
  const kept = join(CACHE, `empty-database-${version}`);
  if (!existsSync(kept)) await createDatabase(kept);
  // keeps the modes of the folders, which cpSync does not
  await cp(kept, dataPaths(dataDir).database, { recursive: true });
}

async function createDatabase(path: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "new-database-"));
  try {
    const owner = await startOwner(folder);
    await owner.stop();
    renameSync(dataPaths(folder).database, path);
  } catch (error) {
    // another process was first
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
