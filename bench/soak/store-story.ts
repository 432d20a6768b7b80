import fc from "fast-check";
import { settle, stories } from "./store-commands.ts";
import type { Store } from "./store-world.ts";

export interface Told {
  stories: number;
  steps: number;
  /** A short story that ends in a disagreement, with its seed; null when there was none. */
  disagreement: string | null;
}

interface Telling {
  seed: number;
  /** How many stories. */
  count: number;
  /** Of each story, at most. */
  steps: number;
  restores: boolean;
  /** Then no further story is begun, and a failing one is shortened no further. */
  endsAfterMs: number;
}

/** Lives random stories in the store and in the model, and compares them after every step. */
export async function tell(store: Store, { seed, count, steps, restores, endsAfterMs }: Telling): Promise<Told> {
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
  // one that was interrupted before its first story ended has not failed
  if (details.counterexample === null) return { ...told, disagreement: null };
  return { ...told, disagreement: `${await fc.asyncDefaultReportMessage(details)}\n${details.errorInstance}` };
}
