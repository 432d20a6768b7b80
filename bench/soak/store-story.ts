import fc from "fast-check";
import { messageOf } from "../../lib/errors.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { settle, stories } from "./store-commands.ts";
import type { StoreCommand } from "./store-step.ts";
import type { Store } from "./store-world.ts";

interface StoryReport {
  stories: number;
  steps: number;
  /** A short story that ends in a disagreement, with its seed, or a story that does not end; null when all agreed. */
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
  /** How much longer the last story may take. */
  graceMs: number;
}

/** A story that was started. */
interface Begun {
  /** As text, its steps so far. */
  commands: Iterable<StoreCommand>;
  end: Promise<void>;
}

/** Runs random stories in the store and in the model, and compares both after every step. */
export async function runStories(
  store: Store,
  { seed, count, steps, restores, endsAfterMs, graceMs }: StoryOptions,
): Promise<StoryReport> {
  const told = { stories: 0, steps: 0 };
  const begun: Begun[] = [];
  const tell = async (commands: Begun["commands"]) => {
    const worlds = await store.newWorld();
    try {
      await fc.asyncModelRun(async () => worlds, commands);
      await settle(worlds.model, worlds.real);
      told.stories++;
    } finally {
      told.steps += worlds.real.checks;
    }
  };
  const details = await fc.check(
    fc.asyncProperty(stories({ steps, restores }), (commands) => {
      const end = tell(commands);
      begun.push({ commands, end });
      return end;
    }),
    { seed, numRuns: count, interruptAfterTimeLimit: endsAfterMs },
  );
  if (details.counterexample !== null) {
    const report = `${await fc.asyncDefaultReportMessage(details)}\n${details.errorInstance}`;
    return { ...told, disagreement: report };
  }
  const disagreement = details.interrupted ? await faultOf(begun.at(-1), graceMs) : null;
  return { ...told, disagreement: disagreement && `seed ${seed}: ${disagreement}` };
}

/** What is wrong with the last story, which fast-check left when its time was over; null when it ends and agrees. */
async function faultOf(last: Begun | undefined, graceMs: number): Promise<string | null> {
  if (!last) return "no story began";
  return withTimeout(last.end, graceMs, () => new Error(`the story did not end within ${graceMs} ms more`)).then(
    () => null,
    (error: unknown) => `${last.commands}\n${messageOf(error)}`,
  );
}
