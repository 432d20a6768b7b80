import { randomBytes } from "node:crypto";
import { readdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, test } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { sources } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { env } from "../../env.ts";
import { dataPaths } from "../../paths.ts";
import { objectStore } from "../../storage/index.ts";
import { sweepSpool, withSpooled } from "../../storage/spool.ts";
import { testDatabase } from "../../testing/database.ts";
import { newCompany } from "../../testing/knowledge.ts";
import { canMount, onSmallDisk } from "../../testing/small-disk.ts";
import { addFiles } from "./add.ts";
import { getContent } from "./edit-content.ts";

const { db } = testDatabase();
const { files, incoming } = dataPaths(env().dataDir);
let scope: TenantScope;
beforeEach(async () => {
  scope = await newCompany();
});

const namesIn = (folder: string) => readdir(folder).catch(() => []);
const originals = () => namesIn(path.join(files, scope.companyId));

function upload(bytes: AsyncIterable<Uint8Array>, sourceId = "a.md") {
  return withSpooled(bytes, (spooled) => addFiles(scope, SYSTEM_ACTOR, [{ sourceId, spooled }]));
}

describe("an upload", () => {
  it("is stored byte for byte and leaves no other file", async () => {
    const pieces = [randomBytes(100_000), randomBytes(1), randomBytes(70_000)];
    await upload(Readable.from(pieces));
    const [key = ""] = await originals();
    expect(Buffer.from(await objectStore().get(`${scope.companyId}/${key}`)).equals(Buffer.concat(pieces))).toBe(true);
    expect(await namesIn(incoming)).toEqual([]);
  });

  it("shares the original of the same content", async () => {
    for (const sourceId of ["a.md", "b.md"]) await upload(Readable.from([Buffer.from("the same")]), sourceId);
    expect(await originals()).toHaveLength(1);
  });

  it("leaves no original of a file that another one with its identifier replaces", async () => {
    const files = ["earlier", "later"].map((text) => ({ sourceId: "a.md", bytes: Buffer.from(text) }));
    await addFiles(scope, SYSTEM_ACTOR, files);
    expect(await originals()).toHaveLength(1);
  });

  it("has the last part of its identifier as its name, or the name that is given", async () => {
    const bytes = Buffer.from("Open at nine.");
    const given = [
      { sourceId: "help/hours.md", bytes },
      { sourceId: "hours", fileName: "opening.md", bytes },
    ];
    const names = (await addFiles(scope, SYSTEM_ACTOR, given)).map(async ({ id }) => {
      const { body } = await getContent(scope, SYSTEM_ACTOR, id);
      return body.kind === "file" && body.fileName;
    });
    expect(await Promise.all(names)).toEqual(["hours.md", "opening.md"]);
  });

  it("leaves nothing when it is interrupted", async () => {
    async function* cut() {
      yield randomBytes(100_000);
      throw new Error("cut off");
    }
    await expect(upload(cut())).rejects.toThrow("cut off");
    expect([...(await namesIn(incoming)), ...(await originals())]).toEqual([]);
  });

  it("leaves no original when the database refuses it, unless another source uses the original", async () => {
    const refused = () => upload(Readable.from([Buffer.from("the same")]), "no\0name.md");
    await expect(refused()).rejects.toThrow();
    expect([...(await namesIn(incoming)), ...(await originals())]).toEqual([]);
    await upload(Readable.from([Buffer.from("the same")]));
    await expect(refused()).rejects.toThrow();
    expect(await originals()).toHaveLength(1);
  });
});

test("deletes the files of a process that died and keeps the files that are being written", async () => {
  await upload(Readable.from([Buffer.from("makes the folder")]));
  const old = new Date(Date.now() - 11 * 60_000);
  await writeFile(path.join(incoming, "left"), "x");
  await utimes(path.join(incoming, "left"), old, old);
  await writeFile(path.join(incoming, "written"), "x");
  await sweepSpool();
  expect(await namesIn(incoming)).toEqual(["written"]);
  await sweepSpool(Date.now() + 11 * 60_000);
  expect(await namesIn(incoming)).toEqual([]);
});

describe.skipIf(!canMount)("on a full disk", () => {
  const bytes = randomBytes(2_000_000);

  it.each([
    ["an upload", () => upload(Readable.from([bytes]))],
    ["a file from the command line", () => addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "a.md", bytes }])],
  ])("%s is refused with 507, and nothing is stored", async (_, store) => {
    await onSmallDisk(files, async () => {
      await expect(store()).rejects.toMatchObject({
        error: "InsufficientStorage",
        message: "The server's disk is full, so nothing was stored. Free some space, then retry.",
      });
      expect([...(await namesIn(incoming)), ...(await originals())]).toEqual([]);
    });
    expect(await db.$count(sources, eq(sources.companyId, scope.companyId))).toBe(0);
    await store();
    expect(await originals()).toHaveLength(1);
  });
});
