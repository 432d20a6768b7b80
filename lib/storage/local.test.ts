import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { localObjectStore } from "./local.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "store-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const drafts = () => path.join(folder, "drafts");
const key = "0192aaaa-0000-7000-8000-000000000001/0192bbbb-0000-7000-8000-000000000002";

test("puts, replaces, reads and deletes files that only the owner can read, and leaves no draft", async () => {
  const store = localObjectStore(path.join(folder, "files"), drafts());
  await store.put(key, Buffer.from("one"));
  await store.put(key, Buffer.from("two"));
  expect(Buffer.from(await store.get(key)).toString()).toBe("two");
  expect(await text(await store.open(key))).toBe("two");
  const file = path.join(folder, "files", key);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(path.dirname(file))).toEqual([path.basename(file)]);
  expect(await readdir(drafts())).toEqual([]);
  expect(await store.has(key)).toBe(true);
  await store.delete(key);
  await store.delete(key);
  expect(await store.has(key)).toBe(false);
  await expect(store.get(key)).rejects.toThrow("is missing from");
  await expect(store.open(key)).rejects.toThrow("is missing from");
});

test("stores a file without moving it, even when it is put twice", async () => {
  const store = localObjectStore(path.join(folder, "files"), drafts());
  const given = path.join(folder, "given");
  await writeFile(given, "whole");
  await store.put(key, { path: given });
  await store.put(key, { path: given });
  expect(await readdir(drafts())).toEqual([]);
  await rm(given);
  expect(Buffer.from(await store.get(key)).toString()).toBe("whole");
});

test.skipIf(process.platform !== "linux")(
  "leaves no file open for a stream that is not read, or not to its end",
  async () => {
    const store = localObjectStore(path.join(folder, "files"), drafts());
    await store.put(key, randomBytes(1_000_000));
    const file = path.join(folder, "files", key);
    const openFiles = async () => {
      const names = await readdir("/proc/self/fd");
      const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")));
      return targets.filter((target) => target === file).length;
    };
    const unread = await store.open(key);
    const cancelled = await store.open(key);
    const reader = cancelled.getReader();
    await reader.read();
    await reader.cancel();
    await expect.poll(openFiles).toBe(0);
    expect(unread.locked).toBe(false);
  },
);

test("deletes all files of a company, and no other's", async () => {
  const store = localObjectStore(path.join(folder, "files"), drafts());
  const keys = ["a-1/1", "a-1/2", "a-10/1"];
  for (const each of keys) await store.put(each, Buffer.from("x"));
  await store.deleteAll("a-1");
  await store.deleteAll("a-1");
  expect(await Promise.all(keys.map((each) => store.has(each)))).toEqual([false, false, true]);
});

test.each(["..", ".", "", "a/b", "a/.."])("refuses the folder %j", async (bad) => {
  const store = localObjectStore(folder, drafts());
  await expect(store.deleteAll(bad)).rejects.toThrow("is not a valid folder");
});

test.each(["../x", "a/../../b", "/etc/passwd", "a", "a/b/c", "a/b\0", "a\\b/c", ""])(
  "refuses the key %j",
  async (bad) => {
    const store = localObjectStore(folder, drafts());
    await expect(store.put(bad, Buffer.from("x"))).rejects.toThrow("is not a valid key");
    await expect(store.get(bad)).rejects.toThrow("is not a valid key");
    await expect(store.has(bad)).rejects.toThrow("is not a valid key");
    await expect(store.delete(bad)).rejects.toThrow("is not a valid key");
  },
);

test("reports a write error", async () => {
  const file = path.join(folder, "a-file");
  await writeFile(file, "");
  await expect(localObjectStore(file, drafts()).put(key, Buffer.from("x"))).rejects.toThrow("cannot be written to");
});
