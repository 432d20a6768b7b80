import { expect, test } from "vitest";
import { streamLines } from "./stream-lines.ts";

test("sends every line in order", async () => {
  async function* lines() {
    yield "one\n";
    yield "two\n";
  }
  expect(await new Response(await streamLines(lines())).text()).toBe("one\ntwo\n");
});

test("an error before the first row is thrown, a later one breaks the stream", async () => {
  async function* broken(after: number) {
    for (let n = 0; n < after; n++) yield `${n}\n`;
    throw new Error("gone");
  }
  await expect(streamLines(broken(0))).rejects.toThrow("gone");
  await expect(streamLines(broken(1))).rejects.toThrow("gone");
  await expect(new Response(await streamLines(broken(2))).text()).rejects.toThrow("gone");
});

test("stops reading when the client disconnects", async () => {
  let ended = false;
  async function* endless() {
    try {
      for (;;) yield "again\n";
    } finally {
      ended = true;
    }
  }
  await (await streamLines(endless())).cancel();
  expect(ended).toBe(true);
});
