import { afterAll, expect, it } from "vitest";
import { testDatabase } from "../../lib/testing/database.ts";
import { runStories } from "./store-story.ts";
import { openStore } from "./store-world.ts";

testDatabase();

const store = openStore();
afterAll(store.close);

/** Only a story that hangs takes this long. */
const TIMES = { endsAfterMs: 40_000, graceMs: 120_000 };

it("agrees with a model in memory after every step of random stories", { timeout: 200_000 }, async () => {
  const seed = 7;
  const { disagreement, stories } = await runStories(store, { seed, count: 4, steps: 12, restores: false, ...TIMES });
  expect(disagreement, `seed ${seed}`).toBeNull();
  expect(stories).toBeGreaterThan(0);
});

it("reports a story that hangs, with its steps", async () => {
  const worlds = await store.newWorld();
  for (const own of worlds.real.companies) {
    own.scope = { ...own.scope, changeContent: () => new Promise<never>(() => undefined) };
  }
  const hanging = { ...store, newWorld: async () => worlds };
  // the first step of this seed adds a source
  const telling = { seed: 10, count: 1, steps: 12, restores: false, endsAfterMs: 2_000, graceMs: 50 };
  const { disagreement } = await runStories(hanging, telling);
  expect(disagreement).toMatch(/^seed 10: One: puts a\.md.*\nthe story did not end within 50 ms more$/s);
});
