import { expect, it } from "vitest";
import { rememberVectors } from "./remembered-vectors.ts";

it("embeds a text once and keeps the order of the texts", async () => {
  const calls: string[][] = [];
  const embed = rememberVectors(async (texts) => {
    calls.push(texts);
    return texts.map((text) => [text.length]);
  });
  expect(await embed(["a", "bb", "a"])).toEqual([[1], [2], [1]]);
  expect(await embed(["ccc", "bb"])).toEqual([[3], [2]]);
  expect(await embed(["a"])).toEqual([[1]]);
  expect(calls).toEqual([["a", "bb"], ["ccc"]]);
});

it("remembers nothing of a call that fails", async () => {
  let fails = true;
  const embed = rememberVectors(async (texts) => {
    if (fails) throw new Error("away");
    return texts.map(() => [1]);
  });
  await expect(embed(["a"])).rejects.toThrow("away");
  fails = false;
  expect(await embed(["a"])).toEqual([[1]]);
});
