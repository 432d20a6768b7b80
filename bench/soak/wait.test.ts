import { expect, it } from "vitest";
import { waitFor } from "./wait.ts";

it("returns what it finds", async () => {
  const found = [null, false, 1] as const;
  let tries = 0;
  expect(await waitFor("a number", () => found[tries++] ?? null, { everyMs: 1 })).toBe(1);
});

it.each([
  ["finds nothing", () => null],
  ["never settles", () => new Promise<null>(() => undefined)],
])("gives up after the limit when the search %s, and says what was missing", async (_, find) => {
  await expect(waitFor("the worker to run", find, { limitMs: 20, everyMs: 1 })).rejects.toThrow(
    "Waited 0.02 s for the worker to run",
  );
});
