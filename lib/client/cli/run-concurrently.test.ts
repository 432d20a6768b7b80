import { expect, test } from "vitest";
import { runConcurrently } from "./run-concurrently.ts";

const ITEMS = [1, 2, 3, 4, 5, 6];

/** Ends after the work that is due now. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

test("works on every item, several at a time", async () => {
  const done: number[] = [];
  let [running, most] = [0, 0];
  await runConcurrently(ITEMS, 2, async (item) => {
    most = Math.max(most, ++running);
    await pause();
    running--;
    done.push(item);
  });
  expect([done, most]).toEqual([ITEMS, 2]);
});

test("begins nothing after an error", async () => {
  const begun: number[] = [];
  const work = runConcurrently(ITEMS, 2, async (item) => {
    begun.push(item);
    await pause();
    if (item === 3) throw new Error("Three.");
  });
  await expect(work).rejects.toThrow("Three.");
  for (let round = 0; round < ITEMS.length; round++) await pause();
  expect(begun).toEqual([1, 2, 3, 4]);
});
