import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { connect, connection, setConnection } from "../db/client.ts";
import { versionOriginals } from "../db/system/backup.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { addFiles } from "../knowledge/intake/add.ts";
import { originalKey } from "../knowledge/original-key.ts";
import { dataPaths } from "../paths.ts";
import { objectStore } from "../storage/index.ts";
import { testDatabase } from "../testing/database.ts";
import { freshDatabase } from "../testing/fresh-database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { missingOriginals } from "./originals.ts";
import { restoreBackup } from "./restore.ts";
import { writeBackup } from "./write.ts";

/** Callbacks that a test runs while a backup is written. */
const whileWriting = vi.hoisted(() => {
  const nothing = async () => {};
  return { originalIsRead: nothing, rowsAreRead: nothing, spoilt: false };
});
vi.mock("node:fs/promises", async (load) => {
  const actual = await load<typeof import("node:fs/promises")>();
  const read = async (path: string) => {
    if (path.startsWith(join(env().dataDir, "files"))) await whileWriting.originalIsRead();
    return actual.readFile(path);
  };
  return { ...actual, readFile: read };
});
vi.mock("../db/system/backup.ts", async (load) => {
  const actual = await load<typeof import("../db/system/backup.ts")>();
  const changedSince: typeof actual.changedSince = async (...given) => {
    await whileWriting.rowsAreRead();
    return (await actual.changedSince(...given)) || whileWriting.spoilt;
  };
  return { ...actual, changedSince };
});

testDatabase();
const files = dataPaths(env().dataDir).files;
let folder: string;
let scope: TenantScope;
/** Originals of other tests' companies that are missing. */
let missingBefore: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ragstone-originals-"));
  scope = await newCompany();
  await addFile("first");
  missingBefore = (await missingOriginals()).missing;
});
afterEach(() => {
  Object.assign(whileWriting, { originalIsRead: async () => {}, rowsAreRead: async () => {}, spoilt: false });
  vi.restoreAllMocks();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Adds a source with a file.
 * @returns the key of its original
 */
async function addFile(text: string): Promise<string> {
  await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: `${text}.md`, bytes: Buffer.from(text) }]);
  const [row] = await connection().db.execute<{ key: string }>(sql`
    select body ->> 'storageKey' as key from ragstone.source_versions v
    join ragstone.sources s on s.company_id = v.company_id and s.id = v.source_id
    where s.company_id = ${scope.companyId} and s.source_id = ${`${text}.md`}`);
  return row?.key ?? "";
}

/** Writes a backup. Returns it with the keys of its originals and of those that the company's rows refer to. */
async function backup() {
  const file = join(folder, "backup.jsonl.gz");
  const { missing } = await writeBackup(file, { originals: true });
  const lines = gunzipSync(await readFile(file))
    .toString()
    .split("\n")
    .flatMap((line) => (line ? JSON.parse(line) : []));
  const originals: string[] = lines.flatMap((line) => line.$original?.key ?? []);
  const keys: string[] = lines.flatMap((line) => line.source_versions?.body.storageKey ?? []);
  const needed = keys.filter((key) => key.startsWith(scope.companyId));
  return { file, missing, originals, needed };
}

/** Whether another client of the database gets a response. */
async function databaseResponds(): Promise<boolean> {
  const served = connection().db.execute(sql`select 1`);
  return Promise.race([served.then(() => true), setTimeout(30_000, false, { ref: false })]);
}

describe("originals in a backup", () => {
  it("are read without blocking the database, even when rows must be read again", async () => {
    const served: boolean[] = [];
    whileWriting.spoilt = true;
    whileWriting.originalIsRead = async () => {
      served.push(await databaseResponds());
    };
    await backup();
    expect(new Set(served)).toEqual(new Set([true]));
  });

  it("are included once for every row, even when files are added and deleted", async () => {
    const going = await addFile("going");
    const came: string[] = [];
    whileWriting.originalIsRead = async () => {
      if (came.length === 0) came.push("", await addFile("coming"));
    };
    whileWriting.rowsAreRead = () => objectStore().delete(going);
    const { missing, originals, needed } = await backup();
    expect(missing).toBe(missingBefore);
    expect(originals).toEqual(expect.arrayContaining([going, came[1], ...needed]));
    expect(new Set(originals).size).toBe(originals.length);
    await objectStore().put(going, Buffer.from("going"));
  });

  it("are counted when they are missing, and other files are ignored", async () => {
    const lost = await addFile("lost");
    await objectStore().delete(lost);
    await writeFile(join(files, "notes.txt"), "somebody's");
    const { missing, originals } = await backup();
    expect(missing).toBe(missingBefore + 1);
    expect(originals.some((key) => key === lost || key.includes("notes"))).toBe(false);
    expect(await missingOriginals()).toMatchObject({ missing: missingBefore + 1, folder: files });
    await objectStore().put(lost, Buffer.from("lost"));
    expect(await missingOriginals()).toMatchObject({ missing: missingBefore });
  });

  it("are those of sources, including replaced versions, and not of uploads that no source has", async () => {
    const replaced = await addFile("replaced");
    await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "replaced.md", bytes: Buffer.from("newer") }]);
    const held = originalKey(scope.companyId, "0".repeat(64));
    await objectStore().put(held, Buffer.from("held"));
    const { originals, needed } = await backup();
    expect(needed).toContain(replaced);
    expect(originals).toEqual(expect.arrayContaining(needed));
    expect(originals).not.toContain(held);
    await objectStore().delete(held);
  });

  it("are found in batches, whatever the number of versions", async () => {
    const latest = await addFile("many");
    const own = sql`company_id = ${scope.companyId} and number > 1000`;
    await connection().db.execute(sql`
      insert into ragstone.source_versions
        (company_id, id, source_id, number, state, source_type, title, audience, content_hash, body)
      select company_id, md5(id::text || n)::uuid, source_id, 1000 + n, 'superseded', source_type, title, audience, content_hash,
        jsonb_build_object('kind', case when n % 2 = 0 then 'file' else 'text' end, 'storageKey', 'key ' || n)
      from ragstone.source_versions, generate_series(1, 1200) as n
      where company_id = ${scope.companyId} and body ->> 'storageKey' = ${latest}`);
    try {
      const { all, needed } = await versionOriginals();
      const even = Array.from({ length: 600 }, (_, i) => `key ${2 * i + 2}`);
      expect([...all].filter((key) => key.startsWith("key ")).sort()).toEqual(even.sort());
      expect([...needed].filter((key) => key.startsWith("key "))).toEqual([]);
      expect(needed).toContain(latest);
    } finally {
      await connection().db.execute(sql`delete from ragstone.source_versions where ${own}`);
    }
  });

  it("are restored without blocking the database", async () => {
    const { file, needed } = await backup();
    const own = connection();
    const copy = await freshDatabase(join(folder, "copy"));
    setConnection(connect(copy.target));
    const put = objectStore().put;
    const restored: [string, boolean][] = [];
    vi.spyOn(objectStore(), "put").mockImplementation(async (key, bytes) => {
      restored.push([key, await databaseResponds()]);
      await put(key, bytes);
    });
    try {
      await restoreBackup(file);
      expect(restored).toEqual(expect.arrayContaining(needed.map((key) => [key, true])));
    } finally {
      await connection().close();
      setConnection(own);
      await copy.remove();
    }
  });
});
