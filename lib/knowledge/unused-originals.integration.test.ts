import { readdir, utimes } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { jobs } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { DAY_MS } from "../durations.ts";
import { env } from "../env.ts";
import { dataPaths } from "../paths.ts";
import { sha256 } from "../sha256.ts";
import { objectStore } from "../storage/index.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany, work } from "../testing/knowledge.ts";
import { addFiles } from "./intake/add.ts";
import { originalKey } from "./original-key.ts";

const { db } = testDatabase();

const add = (scope: TenantScope, text: string, sourceId = "a.md") =>
  addFiles(scope, SYSTEM_ACTOR, [{ sourceId, bytes: Buffer.from(text) }]);

const isStored = ({ companyId }: TenantScope, text: string) => objectStore().has(originalKey(companyId, sha256(text)));

/** Adds a file up to its transaction, as a process that dies there. */
async function addAndDie(scope: TenantScope, text: string): Promise<void> {
  const dead = Promise.withResolvers<void>();
  const dying: TenantScope = {
    ...scope,
    changeContent() {
      dead.resolve();
      return new Promise(() => undefined);
    },
  };
  await Promise.race([add(dying, text), dead.promise]);
}

/** The paths of the records of a company's puts. */
async function recordsOf({ companyId }: TenantScope): Promise<string[]> {
  const folder = dataPaths(env().dataDir).recordedPuts;
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.startsWith(companyId)).map((name) => path.join(folder, name));
}

async function maintain(scope: TenantScope): Promise<void> {
  await db.insert(jobs).values({ companyId: scope.companyId, kind: "maintain" });
  await work(scope);
}

test("the original of an upload whose process died is deleted after a day, unless a source uses it", async () => {
  const [scope, other] = [await newCompany(), await newCompany()];
  await add(scope, "Used.");
  await addAndDie(scope, "Used.");
  await addAndDie(scope, "Lost.");
  await addAndDie(other, "Lost.");
  await maintain(scope);
  expect(await isStored(scope, "Lost.")).toBe(true);
  const yesterday = new Date(Date.now() - DAY_MS - 60_000);
  for (const record of await recordsOf(scope)) await utimes(record, yesterday, yesterday);
  await addAndDie(scope, "New.");
  await maintain(scope);
  const stored = ["Used.", "Lost.", "New."].map((text) => isStored(scope, text));
  expect(await Promise.all(stored)).toEqual([true, false, true]);
  expect(await isStored(other, "Lost.")).toBe(true);
  expect(await recordsOf(scope)).toHaveLength(1);
});

test("an upload that ends leaves no record", async () => {
  const scope = await newCompany();
  await add(scope, "Accepted.");
  await expect(add(scope, "Refused.", "no\0name.md")).rejects.toThrow();
  expect(await recordsOf(scope)).toEqual([]);
});
