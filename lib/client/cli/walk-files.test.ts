import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bulkName, LINK_OUT, walkFiles } from "./walk-files.ts";

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

test("lists the files of a folder by their path below it, sorted, without hidden files; reports broken links and links to the outside", async () => {
  const { files, failed } = await walkFiles([path.join(root, "given")]);
  expect(files).toEqual(
    ["a.md", "b.md", "sub/c.md"].map((name) => ({ path: path.join(root, "given", name), sourceId: name })),
  );
  expect(failed.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: "d.md", reason: LINK_OUT },
    { path: "dangling", reason: "it is a link to a file or folder that does not exist" },
    { path: "out", reason: LINK_OUT },
  ]);
});

test("lists a single file by its name, once", async () => {
  const file = path.join(root, "outside/d.md");
  expect(await walkFiles([file, file])).toEqual({ files: [{ path: file, sourceId: "d.md" }], failed: [] });
});

test("gives a file with a decomposed name one identifier, whether the file or its folder is given", async () => {
  const folder = path.join(root, "decomposed");
  const file = path.join(folder, "cafe\u0301.md");
  await mkdir(folder);
  await writeFile(file, "text");
  const listed = { files: [{ path: file, sourceId: "caf\u00e9.md" }], failed: [] };
  expect(await walkFiles([folder])).toEqual(listed);
  expect(await walkFiles([file])).toEqual(listed);
  expect(bulkName({ path: path.join(folder, "cafe\u0301.csv") })).toBe("caf\u00e9.csv");
});

test("reports a file whose identifier an earlier file has, unless it is a bulk file", async () => {
  for (const name of ["index.md", "faq.csv"]) {
    for (const folder of ["it", "en"]) {
      await mkdir(path.join(root, folder), { recursive: true });
      await writeFile(path.join(root, folder, name), folder);
    }
  }
  const [en, it] = [path.join(root, "en"), path.join(root, "it")];
  expect(await walkFiles([it, en])).toEqual({
    files: [
      { path: path.join(it, "faq.csv"), sourceId: "faq.csv" },
      { path: path.join(en, "faq.csv"), sourceId: "faq.csv" },
      { path: path.join(it, "index.md"), sourceId: "index.md" },
    ],
    failed: [{ path: path.join(en, "index.md"), reason: "another given file has the same identifier: index.md" }],
  });
});

test("reports files that cannot be added, with the reason, and lists the others", async () => {
  const folder = path.join(root, "bad");
  const deep = ["x".repeat(200), "y".repeat(200), "z".repeat(200)].join("/");
  await mkdir(path.join(folder, deep, "folder"), { recursive: true });
  await writeFile(path.join(folder, "good.md"), "good");
  await writeFile(path.join(folder, deep, "deep.md"), "deep");
  await writeFile(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from(".md")]), "latin");
  await mkdir(Buffer.concat([Buffer.from(`${folder}/sub`), Buffer.from([0xff])]));
  const { files, failed } = await walkFiles([folder]);
  expect(files.map(({ sourceId }) => sourceId)).toEqual(["good.md"]);
  expect(failed.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: "caf\uFFFD.md", reason: "its name is not valid UTF-8" },
    { path: "sub\uFFFD", reason: "its name is not valid UTF-8" },
    { path: `${deep}/deep.md`, reason: "its path is longer than 512 characters" },
  ]);
});

test("reports pipes and devices without reading them", async () => {
  const folder = path.join(root, "special");
  await mkdir(folder);
  const pipe = path.join(folder, "pipe.md");
  execFileSync("mkfifo", [pipe]);
  await symlink("/dev/zero", path.join(folder, "zeros.md"));
  await symlink(pipe, path.join(folder, "to-pipe.md"));
  const reason = "it is a pipe, a socket or a device, not a file";
  const { files, failed } = await walkFiles([folder]);
  expect(files).toEqual([]);
  expect(failed.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: "pipe.md", reason },
    { path: "to-pipe.md", reason },
    { path: "zeros.md", reason: LINK_OUT },
  ]);
  const given = [pipe, path.join(folder, "zeros.md"), "/dev/zero"];
  expect(await walkFiles(given)).toEqual({ files: [], failed: given.map((each) => ({ path: each, reason })) });
});

// root may read everything
test.skipIf(process.getuid?.() === 0)(
  "reports a folder without read permission, given directly or below another folder",
  async () => {
    const folder = path.join(root, "closed");
    await mkdir(path.join(folder, "sub"), { recursive: true });
    await writeFile(path.join(folder, "good.md"), "good");
    await chmod(path.join(folder, "sub"), 0);
    const { files, failed } = await walkFiles([folder, path.join(folder, "sub")]);
    expect(files.map(({ sourceId }) => sourceId)).toEqual(["good.md"]);
    expect(failed).toEqual([
      { path: "sub", reason: expect.stringContaining("EACCES") },
      { path: path.join(folder, "sub"), reason: expect.stringContaining("EACCES") },
    ]);
  },
);

test("fails for a path that does not exist", async () => {
  await expect(walkFiles([path.join(root, "nowhere")])).rejects.toThrow("ENOENT");
});
