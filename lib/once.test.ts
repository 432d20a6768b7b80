import { expect, it, vi } from "vitest";
import { once, onceFulfilled } from "./once.ts";

it("makes a value once, even undefined", () => {
  const make = vi.fn();
  const get = once(make);
  expect([get(), get()]).toEqual([undefined, undefined]);
  expect(make).toHaveBeenCalledTimes(1);
});

it("waits for the same promise, and tries again after a failure", async () => {
  const make = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new Error("away")).mockResolvedValue(7);
  const get = onceFulfilled(make);
  expect(await Promise.allSettled([get(), get()])).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
  expect(await Promise.all([get(), get()])).toEqual([7, 7]);
  expect(await get()).toBe(7);
  expect(make).toHaveBeenCalledTimes(2);
});
