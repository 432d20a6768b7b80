import { expect, it } from "vitest";
import { overlap } from "./overlap.ts";

it("prepares only the next item while the previous one is in use, in order", async () => {
  const said: string[] = [];
  const made = new Map([1, 2, 3].map((item) => [item, Promise.withResolvers<number>()]));
  const used = new Map([1, 2, 3].map((item) => [item, Promise.withResolvers<void>()]));
  const done = overlap(
    [1, 2, 3],
    (item) => {
      said.push(`make ${item}`);
      return made.get(item)?.promise ?? Promise.reject();
    },
    (item) => {
      said.push(`use ${item}`);
      return used.get(item)?.promise ?? Promise.reject();
    },
  );
  for (const item of [1, 2, 3]) made.get(item)?.resolve(item);
  await expect.poll(() => said).toEqual(["make 1", "use 1", "make 2"]);
  used.get(1)?.resolve();
  await expect.poll(() => said.slice(3)).toEqual(["use 2", "make 3"]);
  for (const item of [2, 3]) used.get(item)?.resolve();
  await done;
  expect(said.at(-1)).toBe("use 3");
});

it("stops at the first error, after the running work has ended", async () => {
  const used: number[] = [];
  const use = async (item: number) => void used.push(item);
  const make = async (item: number) => {
    if (item === 2) throw new Error("cannot make 2");
    return item;
  };
  await expect(overlap([1, 2, 3], make, use)).rejects.toThrow("cannot make 2");
  expect(used).toEqual([1]);
  const failing = () => Promise.reject(new Error("cannot use"));
  await expect(overlap([1, 3, 5], make, failing)).rejects.toThrow("cannot use");
});
