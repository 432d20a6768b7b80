import { setImmediate, setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { inCallerTurn, rememberCaller } from "./caller-turns.ts";

/** A caller of its own company, whose requests count how many of them are being handled. */
function newCaller(key: string) {
  const authorization = `Bearer ${key}`;
  rememberCaller(authorization, `company of ${key}`);
  const caller = {
    handling: 0,
    begun: 0,
    /** @param ms how long a request takes */
    request: (ms: number) =>
      inCallerTurn({ authorization, address: "127.0.0.1" }, async () => {
        caller.begun++;
        caller.handling++;
        await setTimeout(ms);
        caller.handling--;
      }),
  };
  return caller;
}

const inParallel = (count: number, request: () => Promise<void>) =>
  Promise.all(Array.from({ length: count }, () => request()));

test("beside another company, a company's requests begin one after the other, and the other's at once", async () => {
  const [busy, quiet] = [newCaller("busy"), newCaller("quiet")];
  await inParallel(60, () => busy.request(5));
  await quiet.request(1);
  const flood = inParallel(60, () => busy.request(5));
  const seen: number[] = [];
  while (busy.begun < 110) {
    await setTimeout(1);
    const [before, asks] = [busy.begun, quiet.begun];
    const asked = quiet.request(1);
    await setImmediate();
    expect(quiet.begun).toBe(asks + 1);
    await asked;
    seen.push(busy.begun - before, busy.handling);
  }
  await flood;
  // a request that the machine delays is no longer young
  expect(seen.sort()[seen.length >> 1]).toBeLessThanOrEqual(1);
});

test("slow requests of one company run at the same time", async () => {
  const [slow, quiet] = [newCaller("slow"), newCaller("other")];
  await inParallel(60, () => slow.request(20));
  await quiet.request(1);
  const waiting = inParallel(5, () => slow.request(2_000));
  await expect.poll(() => slow.handling, { timeout: 1_500 }).toBe(5);
  await waiting;
});

test("a request that fails fails for its caller alone", async () => {
  const authorization = "Bearer broken";
  const failing = inCallerTurn({ authorization, address: "127.0.0.2" }, () => Promise.reject(new Error("broken")));
  await expect(failing).rejects.toThrow("broken");
  await newCaller("sound").request(1);
});
