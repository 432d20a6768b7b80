import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { inRequestTurn, rememberCaller } from "./request-turns.ts";

const never = new AbortController().signal;
const unfinished = () => new Promise<void>(() => undefined);

/** The key of a new company, which the server has accepted before. */
function knownKey(): string {
  const key = `Bearer ${randomUUID()}`;
  rememberCaller(key, randomUUID());
  return key;
}

/** Requests with these keys that use up their turns, so that the callers have used more time than others. */
async function flood(keys: string[]): Promise<void> {
  for (const key of keys) void inRequestTurn(key, unfinished, never);
  // each takes a turn of its own, and the last one started when the others had ended theirs
  await inRequestTurn(keys[0], () => new Promise((resolve) => setTimeout(resolve, 30)), never);
}

const tenTimes = (key: string) => new Array<string>(10).fill(key);

/** Starts a request of each caller at the same time. @returns what happened, in order */
async function startAndEnd(quiet: string, busy: string): Promise<string[]> {
  const events: string[] = [];
  const handle = (name: string) => async () => {
    events.push(`${name} starts`);
    await setImmediate();
    events.push(`${name} ends`);
  };
  await Promise.all([
    inRequestTurn(quiet, handle("quiet"), never),
    inRequestTurn(busy, handle("busy"), never),
    inRequestTurn(busy, handle("busy"), never),
  ]);
  return events;
}

test("no request starts while one of a company that used less time has its turn", async () => {
  const [busy, quiet] = [knownKey(), knownKey()];
  await flood(tenTimes(busy));
  expect((await startAndEnd(quiet, busy)).slice(0, 2)).toEqual(["quiet starts", "quiet ends"]);
});

test("callers with invented keys share one turn, so they do not count as companies that used less", async () => {
  const quiet = knownKey();
  await flood(Array.from({ length: 10 }, () => `Bearer ${randomUUID()}`));
  expect((await startAndEnd(quiet, `Bearer ${randomUUID()}`)).slice(0, 2)).toEqual(["quiet starts", "quiet ends"]);
});

test("a request that takes long does not keep the next ones from their turn", async () => {
  const [busy, quiet] = [knownKey(), knownKey()];
  await flood(tenTimes(busy));
  void inRequestTurn(quiet, unfinished, never);
  let begun = false;
  await inRequestTurn(
    busy,
    async () => {
      begun = true;
    },
    never,
  );
  expect(begun).toBe(true);
});

test("a request whose client has left is never handled", async () => {
  const [busy, quiet] = [knownKey(), knownKey()];
  await flood(tenTimes(busy));
  void inRequestTurn(quiet, unfinished, never);
  const left = new AbortController();
  let begun = false;
  const waiting = inRequestTurn(
    busy,
    async () => {
      begun = true;
    },
    left.signal,
  );
  left.abort(new Error("the client left"));
  await expect(waiting).rejects.toThrow("the client left");
  expect(begun).toBe(false);
});

test("an error of a request reaches its caller", async () => {
  const failing = inRequestTurn(knownKey(), () => Promise.reject(new Error("broken")), never);
  await expect(failing).rejects.toThrow("broken");
});
