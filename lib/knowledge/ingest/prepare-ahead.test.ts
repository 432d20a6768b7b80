import { expect, it } from "vitest";
import { prepareAhead } from "./prepare-ahead.ts";

it("prepares only the next item while the previous one is in use, in order", async () => {
  const said: string[] = [];
  const prepared = new Map([1, 2, 3].map((item) => [item, Promise.withResolvers<number>()]));
  const used = new Map([1, 2, 3].map((item) => [item, Promise.withResolvers<void>()]));
  const done = prepareAhead(
    [1, 2, 3],
    (item) => {
      said.push(`prepare ${item}`);
      return prepared.get(item)?.promise ?? Promise.reject();
    },
    (item) => {
      said.push(`use ${item}`);
      return used.get(item)?.promise ?? Promise.reject();
    },
  );
  for (const item of [1, 2, 3]) prepared.get(item)?.resolve(item);
  await expect.poll(() => said).toEqual(["prepare 1", "use 1", "prepare 2"]);
  used.get(1)?.resolve();
  await expect.poll(() => said.slice(3)).toEqual(["use 2", "prepare 3"]);
  for (const item of [2, 3]) used.get(item)?.resolve();
  await done;
  expect(said.at(-1)).toBe("use 3");
});

it("stops at the first error, after the running work has ended", async () => {
  const used: number[] = [];
  const use = async (item: number) => void used.push(item);
  const prepare = async (item: number) => {
    if (item === 2) throw new Error("cannot prepare 2");
    return item;
  };
  await expect(prepareAhead([1, 2, 3], prepare, use)).rejects.toThrow("cannot prepare 2");
  expect(used).toEqual([1]);
  const failing = () => Promise.reject(new Error("cannot use"));
  await expect(prepareAhead([1, 3, 5], prepare, failing)).rejects.toThrow("cannot use");
});
