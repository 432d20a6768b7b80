import { expect, it } from "vitest";
import { orAborted } from "./or-aborted.ts";

const pending = new Promise<never>(() => undefined);

it("waits for no longer than the signal allows, even if the signal is aborted already", async () => {
  const caller = new AbortController();
  const waiting = orAborted(pending, caller.signal);
  caller.abort(new Error("left"));
  await expect(waiting).rejects.toThrow("left");
  await expect(orAborted(pending, caller.signal)).rejects.toThrow("left");
  expect(await orAborted(Promise.resolve(1), new AbortController().signal)).toBe(1);
});
