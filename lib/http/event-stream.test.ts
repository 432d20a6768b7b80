import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventStream, waitForFirstPart } from "./event-stream.ts";

const refuse = (error: unknown) => ({ type: "error", errorText: String(error) });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("parts, a last part for an error, and the end", async () => {
  async function* parts() {
    yield { type: "a" };
    yield { type: "b", text: "line\nline" };
    throw new Error("broken");
  }
  expect(await new Response(eventStream(parts(), refuse)).text()).toBe(
    'data: {"type":"a"}\n\ndata: {"type":"b","text":"line\\nline"}\n\ndata: {"type":"error","errorText":"Error: broken"}\n\ndata: [DONE]\n\n',
  );
});

test("a comment every 15 seconds keeps a silent connection open, until the end", async () => {
  const wait = Promise.withResolvers<void>();
  async function* parts() {
    await wait.promise;
    yield 1;
  }
  const text = new Response(eventStream(parts(), refuse)).text();
  vi.advanceTimersByTime(31_000);
  wait.resolve();
  expect(await text).toBe(":\n\n:\n\ndata: 1\n\ndata: [DONE]\n\n");
  expect(vi.getTimerCount()).toBe(0);
});

test("parts go on, unsent, after the reader left", async () => {
  const wait = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  async function* parts() {
    await wait.promise;
    yield 1;
    done.resolve();
  }
  await eventStream(parts(), refuse).cancel();
  wait.resolve();
  await expect(done.promise).resolves.toBeUndefined();
});

test("an error before the first part is thrown before the stream exists", async () => {
  async function* parts(isRefused: boolean): AsyncGenerator<number, string> {
    if (isRefused) throw new Error("refused");
    yield 1;
    yield 2;
    return "end";
  }
  await expect(waitForFirstPart(parts(true))).rejects.toThrow("refused");
  const all = await waitForFirstPart(parts(false));
  expect([await all.next(), await all.next(), await all.next()].map(({ value }) => value)).toEqual([1, 2, "end"]);
});
