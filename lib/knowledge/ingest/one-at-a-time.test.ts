import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createLock, oneAtATime } from "./one-at-a-time.ts";

async function* items(name: string, read: string[]) {
  for (const number of [1, 2]) {
    read.push(`${name}${number}`);
    await setImmediate();
    yield number;
  }
}

describe("two sequences under one lock", () => {
  it("are read one after the other", async () => {
    const [lock, read] = [createLock(), [] as string[]];
    const readAll = async (name: string) => {
      for await (const _ of oneAtATime(lock, items(name, read))) await setImmediate();
    };
    await Promise.all([readAll("a"), readAll("b")]);
    expect(read).toEqual(["a1", "a2", "b1", "b2"]);
  });

  it("do not wait for one whose consumer has stopped or failed", async () => {
    const [lock, read] = [createLock(), [] as string[]];
    for await (const _ of oneAtATime(lock, items("a", read))) break;
    const failing = async () => {
      for await (const _ of oneAtATime(lock, items("b", read))) throw new Error("no room");
    };
    await expect(failing()).rejects.toThrow("no room");
    for await (const _ of oneAtATime(lock, items("c", read)));
    expect(read).toEqual(["a1", "b1", "c1", "c2"]);
  });
});
