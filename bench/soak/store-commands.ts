import { setTimeout } from "node:timers/promises";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import fc from "fast-check";
import { jobs, sources } from "../../lib/db/schema/index.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { enqueue } from "../../lib/jobs/enqueue.ts";
import { compact } from "../../lib/search-index/compact.ts";
import { work } from "../../lib/testing/knowledge.ts";
import { scheduleMaintenance } from "../../lib/worker/maintain.ts";
import { runWorker } from "../../lib/worker/worker.ts";
import { accessChanges } from "./store-access.ts";
import { checkCompacted } from "./store-check.ts";
import * as model from "./store-model.ts";
import { sourceChanges } from "./store-sources.ts";
import { installation, type Place, type StoreCommand, step } from "./store-step.ts";
import { MODELS, type ModelWorld, type RealWorld } from "./store-world.ts";

const at = fc.nat({ max: 1 });

/** A step that finishes all jobs. */
interface Working {
  story: string;
  before?(place: Place): Promise<void>;
  after?(place: Place): Promise<void> | void;
}

function workingStep(at: number, { story, before, after }: Working): StoreCommand {
  return step({
    at,
    story,
    settles: true,
    async run(place) {
      await before?.(place);
      await work(place.own.scope);
      model.finishWork(place.company, place.world.model);
      await after?.(place);
    },
  });
}

const working = (each: Working) => at.map((at) => workingStep(at, each));

const drain = working({ story: "works" });
const stopped = working({
  story: "stops its worker in the middle, then works",
  async before({ own }) {
    const stop = new AbortController();
    const worker = runWorker({ signal: stop.signal, companyId: own.scope.companyId, untilIdle: true });
    await Promise.race([worker, setTimeout(20)]);
    stop.abort();
    await worker;
  },
});
const purge = working({
  story: "lets a day pass and purges",
  async before({ own: { scope } }) {
    const isOwn = and(eq(sources.companyId, scope.companyId), isNotNull(sources.deletedAt));
    await scope.transaction(async (tx) => {
      await tx.update(sources).set({ deletedAt: sql`now() - interval '25 hours'` }).where(isOwn);
      await tx.update(jobs).set({ runAfter: sql`now()` }).where(eq(jobs.companyId, scope.companyId));
    });
  },
  after: ({ company }) => model.forgetDeleted(company),
});
const COMPACTS: Working = {
  story: "compacts",
  before: ({ own: { scope } }) => enqueueOne(scope, "maintain"),
  after: ({ own: { scope } }) => compactAll(scope),
};
const EMBEDS_AGAIN: Working = {
  story: "embeds again",
  before: ({ own: { scope } }) => enqueueOne(scope, "re-embed"),
  after({ company, world }) {
    company.serving = world.model;
  },
};

/** Rewrites every block with a purged chunk. A story has too few of them for the hourly job to do so. */
async function compactAll(scope: TenantScope): Promise<void> {
  await compact(scope, { signal: new AbortController().signal, deadSlotsMin: 1 });
  await checkCompacted(scope);
}

function enqueueOne({ companyId, transaction }: TenantScope, kind: "maintain" | "re-embed"): Promise<void> {
  return transaction((tx) => enqueue(tx, [{ companyId, kind }]));
}

const choose = fc.constantFrom(...MODELS).map((chosen) =>
  installation(`The operator chooses the model ${chosen}`, async (world, real) => {
    real.choose(chosen);
    await scheduleMaintenance();
    world.model = chosen;
    for (const company of world.companies) {
      if (company.serving !== null && company.serving !== chosen) company.reEmbeds = true;
    }
  }),
);
const backup = fc
  .constant(null)
  .map(() => installation("The operator restores a new backup", async (_, real) => real.backupAndRestore?.()));

/** Random stories of at most `steps` steps. */
export function stories({ steps, restores }: { steps: number; restores: boolean }) {
  const jobs = [drain, drain, drain, stopped, purge, working(COMPACTS), working(EMBEDS_AGAIN)];
  const all = [...sourceChanges, ...jobs, ...accessChanges, choose, ...(restores ? [backup] : [])];
  return fc.commands(all, { maxCommands: steps, size: "max" });
}

/** Ends a story: finishes all jobs with the chosen model and checks that nothing is left over. */
export async function settle(world: ModelWorld, real: RealWorld): Promise<void> {
  for (const at of world.companies.keys()) {
    for (const last of [EMBEDS_AGAIN, COMPACTS]) await workingStep(at, last).run(world, real);
  }
}
