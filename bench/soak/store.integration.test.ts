import { afterAll, expect, it } from "vitest";
import { testDatabase } from "../../lib/testing/database.ts";
import { runStories } from "./store-story.ts";
import { openStore } from "./store-world.ts";

testDatabase();

const store = openStore();
afterAll(store.close);

it("agrees with a model in memory after every step of random stories", async () => {
  const seed = 7;
  const telling = { seed, count: 4, steps: 12, restores: false, endsAfterMs: 40_000 };
  const { disagreement, stories } = await runStories(store, telling);
  expect(disagreement, `seed ${seed}`).toBeNull();
  expect(stories).toBeGreaterThan(0);
});
