import fc from "fast-check";
import { settle, stories } from "./store-commands.ts";
import type { Store } from "./store-world.ts";

interface StoryReport {
  stories: number;
  steps: number;
  /** A short story that ends in a disagreement, with its seed; null when all stories agreed. */
  disagreement: string | null;
}

interface StoryOptions {
  seed: number;
  /** Number of stories. */
  count: number;
  /** Maximum number of steps per story. */
  steps: number;
  restores: boolean;
  /** Time after which no new story starts and a failing story is not shortened further. */
  endsAfterMs: number;
}

/** Runs random stories in the store and in the model, and compares both after every step. */
export async function runStories(
  store: Store,
  { seed, count, steps, restores, endsAfterMs }: StoryOptions,
): Promise<StoryReport> {
  const told = { stories: 0, steps: 0 };
  const details = await fc.check(
    fc.asyncProperty(stories({ steps, restores }), async (commands) => {
      const worlds = await store.newWorld();
      try {
        await fc.asyncModelRun(async () => worlds, commands);
        await settle(worlds.model, worlds.real);
        told.stories++;
      } finally {
        told.steps += worlds.real.checks;
      }
    }),
    { seed, numRuns: count, interruptAfterTimeLimit: endsAfterMs },
  );
  // an interruption before the end of the first story is not a failure
  if (details.counterexample === null) return { ...told, disagreement: null };
  return { ...told, disagreement: `${await fc.asyncDefaultReportMessage(details)}\n${details.errorInstance}` };
}
