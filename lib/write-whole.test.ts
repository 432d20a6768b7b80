import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOUR_MS } from "./durations.ts";
import { writeWhole } from "./write-whole.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ragstone-whole-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("two writers at the same time leave one whole file and no draft", async () => {
  const file = join(folder, "both");
  const slowly = (text: string) =>
    writeWhole(file, async (draft) => {
      for (const letter of text) {
        await writeFile(draft, letter, { flag: "a" });
        await setTimeout(5);
      }
    });
  await Promise.all([slowly("granite"), slowly("basalt")]);
  expect(["granite", "basalt"]).toContain(await readFile(file, "utf8"));
  expect(await readdir(folder)).toEqual(["both"]);
});

test("a failure keeps the file as it was, and leaves no draft", async () => {
  const file = join(folder, "kept");
  await writeFile(file, "before");
  const failing = writeWhole(file, async (draft) => {
    await writeFile(draft, "half");
    throw new Error("disk gone");
  });
  await expect(failing).rejects.toThrow("disk gone");
  expect(await readFile(file, "utf8")).toBe("before");
  expect((await readdir(folder)).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("removes drafts of the file that a crash left, and no others", async () => {
  const id = "00000000-0000-4000-8000-00000000000c";
  const [old, recent, foreign] = [`f.${id}.part`, `f.${id.replace("c", "d")}.part`, `g.${id}.part`];
  for (const name of [old, "f.part", recent, foreign]) await writeFile(join(folder, name), "");
  const past = new Date(Date.now() - 2 * HOUR_MS);
  for (const name of [old, "f.part", foreign]) await utimes(join(folder, name), past, past);
  await writeWhole(join(folder, "f"), (draft) => writeFile(draft, "whole"));
  const left = (await readdir(folder)).filter((name) => name.endsWith(".part"));
  expect(left.sort()).toEqual([recent, foreign].sort());
});
