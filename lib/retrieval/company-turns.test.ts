import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { tenantScope } from "../db/tenant.ts";
import { companyTurns } from "./company-turns.ts";

const [busy, quiet] = ["0192aaaa-0000-7000-8000-000000000001", "0192aaaa-0000-7000-8000-000000000002"].map(
  (id) => tenantScope(id).companyId,
);
if (!busy || !quiet) throw new Error("two companies");

/** Work that the test finishes or fails by hand. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let begun = false;
  return {
    begun: () => begun,
    finish: () => resolve("done"),
    fail: () => reject(new Error("broken")),
    run: () => {
      begun = true;
      return promise;
    },
  };
}

test("a company's question does not wait for the questions of another company", async () => {
  const turns = companyTurns(2);
  const many = Array.from({ length: 50 }, work);
  const running = many.map(({ run }) => turns.run(busy, run));
  const one = work();
  const answered = turns.run(quiet, one.run);
  await setImmediate();
  expect(many.filter(({ begun }) => begun())).toHaveLength(2);
  expect(one.begun()).toBe(true);
  one.finish();
  expect(await answered).toBe("done");
  for (const { finish } of many) finish();
  expect(await Promise.all(running)).toHaveLength(50);
});

test("failed work makes room for the next", async () => {
  const turns = companyTurns(1);
  const [first, second] = [work(), work()];
  const results = Promise.allSettled([turns.run(busy, first.run), turns.run(busy, second.run)]);
  await setImmediate();
  expect(second.begun()).toBe(false);
  first.fail();
  second.finish();
  expect((await results).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

test("work whose caller has left is never started", async () => {
  const turns = companyTurns(1);
  const [first, second] = [work(), work()];
  const leaving = new AbortController();
  const running = turns.run(busy, first.run);
  const left = turns.run(busy, second.run, leaving.signal);
  leaving.abort(new Error("the client left"));
  first.finish();
  await running;
  await expect(left).rejects.toThrow("the client left");
  await setImmediate();
  expect(second.begun()).toBe(false);
});
