import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { createSlots } from "./slots.mjs";

it("runs so many jobs at a time, and starts the waiting one that comes first in the order", async () => {
  const inSlot = createSlots(2, ["long", "short", "late"]);
  const started: string[] = [];
  let running = 0;
  const run = (name: string) =>
    inSlot(name, async () => {
      started.push(name);
      expect(++running).toBeLessThanOrEqual(2);
      await setTimeout(1);
      running--;
      return name;
    });
  const names = ["short", "long", "late", "short", "long"];
  expect(await Promise.all(names.map(run))).toEqual(names);
  expect(started).toEqual(["short", "long", "long", "short", "late"]);
});

it("starts the next job after one that failed", async () => {
  const inSlot = createSlots(1, ["bad", "good"]);
  const bad = inSlot("bad", () => Promise.reject(new Error("broken")));
  const good = inSlot("good", async () => "done");
  await expect(bad).rejects.toThrow("broken");
  expect(await good).toBe("done");
});
