import { expect, it } from "vitest";
import { batchLookups } from "./batch-lookups.ts";

/** Look-ups that stay open until they are settled by hand. */
function heldLookUps() {
  const calls: { keys: string[]; gate: PromiseWithResolvers<string[]> }[] = [];
  const lookUp = batchLookups((keys: string[]) => {
    const gate = Promise.withResolvers<string[]>();
    calls.push({ keys, gate });
    return gate.promise;
  });
  return { calls, lookUp };
}

it("looks up together what comes while a call runs", async () => {
  const { calls, lookUp } = heldLookUps();
  const first = lookUp("a");
  const rest = [lookUp("b"), lookUp("c")];
  expect(calls.map(({ keys }) => keys)).toEqual([["a"]]);
  calls[0]?.gate.resolve(["A"]);
  expect(await first).toBe("A");
  await expect.poll(() => calls.map(({ keys }) => keys)).toEqual([["a"], ["b", "c"]]);
  calls[1]?.gate.resolve(["B", "C"]);
  expect(await Promise.all(rest)).toEqual(["B", "C"]);
});

it("passes an error to those that it concerns, and continues", async () => {
  const { calls, lookUp } = heldLookUps();
  const failed = lookUp("a");
  const next = lookUp("b");
  calls[0]?.gate.reject(new Error("unreachable"));
  await expect(failed).rejects.toThrow("unreachable");
  await expect.poll(() => calls.length).toBe(2);
  calls[1]?.gate.resolve(["B"]);
  expect(await next).toBe("B");
});

it("does not wait for a call that never returns", async () => {
  const { calls, lookUp } = heldLookUps();
  void lookUp("a");
  const next = lookUp("b");
  await expect.poll(() => calls.length).toBe(2);
  calls[1]?.gate.resolve(["B"]);
  expect(await next).toBe("B");
});
