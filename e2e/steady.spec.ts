import { expect, test } from "@playwright/test";
import { createRandom } from "../bench/soak/random.ts";
import { steady } from "../bench/soak/steady.ts";

test("a steady rate of requests with ingestion beside is answered, counted and logged", async () => {
  const seed = Date.now() % 1_000_000;
  console.log(`seed ${seed}`);
  const random = createRandom(seed);
  const measured = await steady.run({ random, seed, short: true, minutes: 0.1, say: () => undefined });
  expect(measured.length).toBeGreaterThan(10);
  expect(measured.filter(({ kept }) => !kept)).toEqual([]);
});
