import { chmod, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findProblem } from "./find-problem.ts";

const LIMIT = 50 * 1024 * 1024;

let root = "";
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "problem-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A file of this size that takes no space on the disk. */
async function sparseFile(name: string, bytes: number): Promise<string> {
  const file = path.join(root, name);
  await writeFile(file, "");
  await truncate(file, bytes);
  return file;
}

test("finds no problem with a file of 50 MB, and none with a larger file of lines", async () => {
  expect(await findProblem(await sparseFile("a.pdf", LIMIT))).toBeNull();
  expect(await findProblem(await sparseFile("a.JSONL", LIMIT + 1))).toBeNull();
});

test.each(["b.pdf", "b.csv", "b.xlsx"])("says that %s is too large", async (name) => {
  const reason = "The file is larger than 50 MB (51 MB). Split it and add the parts.";
  expect(await findProblem(await sparseFile(name, LIMIT + 1))).toBe(reason);
});

test("says that a file is gone", async () => {
  expect(await findProblem(path.join(root, "nowhere.jsonl"))).toMatch(/^ENOENT/);
});

// root may read everything
test.skipIf(process.getuid?.() === 0)("says that a file may not be read", async () => {
  const file = await sparseFile("closed.jsonl", 0);
  await chmod(file, 0);
  expect(await findProblem(file)).toMatch(/^EACCES/);
});
