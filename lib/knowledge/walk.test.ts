import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { walkFiles } from "./walk.ts";

let root = "";
beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), "walk-")));
  await mkdir(path.join(root, "given/sub/.git"), { recursive: true });
  await mkdir(path.join(root, "outside"));
  for (const name of [
    "given/b.md",
    "given/a.md",
    "given/sub/c.md",
    "given/.hidden",
    "given/sub/.git/x",
    "outside/d.md",
  ]) {
    await writeFile(path.join(root, name), name);
  }
  await symlink(path.join(root, "outside"), path.join(root, "given/out"));
  await symlink(path.join(root, "outside/d.md"), path.join(root, "given/d.md"));
  await symlink(path.join(root, "given"), path.join(root, "given/sub/loop"));
  await symlink(path.join(root, "nowhere"), path.join(root, "given/dangling"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

test("a folder gives its files by their path below it, sorted, without hidden ones and links that lead out", async () => {
  expect(await walkFiles([path.join(root, "given")])).toEqual(
    ["a.md", "b.md", "sub/c.md"].map((name) => ({ path: path.join(root, "given", name), sourceId: name })),
  );
});

test("a file gives its name, and comes once", async () => {
  const file = path.join(root, "outside/d.md");
  expect(await walkFiles([file, file])).toEqual([{ path: file, sourceId: "d.md" }]);
});

test("a path that does not exist is an error", async () => {
  await expect(walkFiles([path.join(root, "nowhere")])).rejects.toThrow("ENOENT");
});
