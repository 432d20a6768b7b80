import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { DAY_MS } from "../durations.ts";
import { env } from "../env.ts";
import { dataPaths } from "../paths.ts";

/** An original that is put before the database knows it. */
export interface RecordedPut {
  key: string;
  /** Deletes the record, once a row refers to the original or the original is deleted. */
  forget(): Promise<void>;
}

/**
 * Records on the disk of this server that an original is about to be put. If the process dies before the database knows
 * the original, the record remains. Originals without a row are not looked for in the store, because after the restore of
 * an older backup they may belong to a newer one.
 */
export async function recordPut(key: string): Promise<RecordedPut> {
  const folder = recordsFolder();
  const file = path.join(folder, [...key.split("/"), randomUUID()].join("."));
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, "", { mode: 0o600 });
  } catch {
    // putting the original fails for the same reason, and says why
  }
  return recordedPut(key, file);
}

/** The records of a company that are a day old: their processes died. */
export async function abandonedPuts(companyId: string): Promise<RecordedPut[]> {
  const folder = recordsFolder();
  const abandoned: RecordedPut[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const [company, hash] = name.split(".");
    if (company !== companyId) continue;
    const file = path.join(folder, name);
    const info = await stat(file).catch(() => null);
    if (info && Date.now() - info.mtimeMs > DAY_MS) abandoned.push(recordedPut(`${company}/${hash}`, file));
  }
  return abandoned;
}

function recordedPut(key: string, file: string): RecordedPut {
  // a record that remains only costs a lookup a day later
  return { key, forget: () => rm(file, { force: true }).catch(() => undefined) };
}

function recordsFolder(): string {
  return dataPaths(env().dataDir).recordedPuts;
}
