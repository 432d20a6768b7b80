import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Ragstone, TimeoutError } from "./index.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const FILE = { sourceId: "a.md", file: "text" };
const MINUTE = 60_000;

/** The sources of a client whose server never responds. */
function silentSources(timeoutMs?: number) {
  const fetch = (_: unknown, { signal }: RequestInit = {}) =>
    new Promise<Response>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  return new Ragstone({ apiKey: "ragstone_live_secret", baseUrl: "http://a.example", timeoutMs, fetch }).sources;
}

/** How long work runs until it ends with a TimeoutError. */
async function msUntilTimeout(work: Promise<unknown>): Promise<number> {
  const started = performance.now();
  const ended = expect(work).rejects.toBeInstanceOf(TimeoutError);
  await vi.runAllTimersAsync();
  await ended;
  return performance.now() - started;
}

test.each([
  ["10 minutes", undefined, {}, 10 * MINUTE],
  ["10 minutes if the client's timeout is shorter", 5_000, {}, 10 * MINUTE],
  ["the client's timeout if it is longer", 60 * MINUTE, {}, 60 * MINUTE],
  ["10 minutes if its own timeout is undefined", undefined, { timeoutMs: undefined }, 10 * MINUTE],
  ["its own timeout", 60 * MINUTE, { timeoutMs: 5_000 }, 5_000],
])("a file takes at most %s", async (_, clientTimeoutMs, options, expected) => {
  const sources = silentSources(clientTimeoutMs);
  expect(await msUntilTimeout(sources.putFile(FILE, options))).toBe(expected);
  expect(await msUntilTimeout(sources.putQuestions(FILE, options))).toBe(expected);
  expect(await msUntilTimeout(sources.original("1", options))).toBe(expected);
});

test.each([
  ["soon after the caller's timeout", { timeoutMs: 5_000 }, 5_000, 8_000],
  ["after the client's timeout if that is earlier", {}, MINUTE, MINUTE],
])("waiting for a source ends %s when the server is silent", async (_, options, from, to) => {
  const ms = await msUntilTimeout(silentSources().waitUntilReady("1", options));
  expect(ms).toBeGreaterThanOrEqual(from);
  expect(ms).toBeLessThanOrEqual(to);
});
