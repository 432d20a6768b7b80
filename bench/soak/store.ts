import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../lib/db/migrate.ts";
import { type Machine, type MachineRun, type Measured, skipped } from "./machine.ts";
import { NO_POSTGRES, withPostgres } from "./postgres.ts";
import { runStories } from "./store-story.ts";
import { openStore, ownDatabase } from "./store-world.ts";

const MINUTES = 8;
const SHORT_MINUTES = 2;
const STEPS = 20;
/** Time to shorten a story that disagrees. */
const SHORTENING_MS = 5 * 60_000;
/** A story that takes longer than both hangs. */
const GRACE_MS = 60_000;

/** Compares random stories of two companies with a model in memory, on both databases or only `TEST_DATABASE_URL`. */
export const store: Machine = {
  about: "compares random changes of sources, keys, subscriptions, models and backups with a model in memory",
  async run(run) {
    const dataDir = mkdtempSync(join(tmpdir(), "ragstone-store-"));
    const { TEST_DATABASE_URL: given } = process.env;
    Object.assign(process.env, { DATA_DIR: dataDir, DATABASE_URL: "", LOG_LEVEL: "silent" });
    try {
      if (given) return await runStoriesFor(run, "server");
      const embedded = await runStoriesFor(run, "embedded");
      const server = await withPostgres(run.say, ({ url }) => {
        process.env.TEST_DATABASE_URL = url;
        return runStoriesFor(run, "server");
      });
      return [...embedded, ...(server ?? [skipped("server", NO_POSTGRES)])];
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};

/** Runs stories for half of the run's time or until two disagree. */
async function runStoriesFor({ seed, short, minutes, say }: MachineRun, name: string): Promise<Measured[]> {
  const database = await ownDatabase(migrate);
  const store = openStore(database);
  const until = performance.now() + ((minutes ?? (short ? SHORT_MINUTES : MINUTES)) / 2) * 60_000;
  const sums = { stories: 0, steps: 0, disagreements: 0 };
  try {
    for (let round = 0; performance.now() < until && sums.disagreements < 2; round++) {
      const times = { endsAfterMs: SHORTENING_MS, graceMs: GRACE_MS };
      const telling = { seed: seed + round, count: 1, steps: STEPS, restores: true, ...times };
      const { stories, steps, disagreement } = await runStories(store, telling);
      sums.stories += stories;
      sums.steps += steps;
      if (disagreement) sums.disagreements++;
      if (disagreement) say(`${name}: ${disagreement}`);
      say(`${name}: ${sums.stories} stories of ${sums.steps} steps agree`);
    }
  } finally {
    store.close();
    await database.close();
  }
  const measured = `${sums.disagreements} disagreements in ${sums.stories} stories of ${sums.steps} steps`;
  const promise = `${name}: retrieval, lists, counts and originals agree with the model`;
  return [{ promise, measured, kept: sums.disagreements === 0 && sums.stories > 0 }];
}
