import { setTimeout } from "node:timers/promises";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import fc from "fast-check";
import { rotateKey } from "../../lib/api-keys/service.ts";
import { SYSTEM_ACTOR } from "../../lib/audit/record.ts";
import { jobs, sources } from "../../lib/db/schema/index.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { enqueue } from "../../lib/jobs/enqueue.ts";
import { addFiles, addSources } from "../../lib/knowledge/intake/add.ts";
import { reindexSources, relabelSource } from "../../lib/knowledge/intake/relabel.ts";
import { sourceInput } from "../../lib/knowledge/intake/source-input.ts";
import { deleteSource, restoreSource } from "../../lib/knowledge/service.ts";
import { work } from "../../lib/testing/knowledge.ts";
import { scheduleMaintenance } from "../../lib/worker/maintain.ts";
import { runWorker } from "../../lib/worker/worker.ts";
import * as model from "./store-model.ts";
import { installation, type Place, type StoreCommand, step } from "./store-step.ts";
import { type Body, KINDS, questionOf, readingOf, TOPIC_COUNT, textOf, titleOf } from "./store-texts.ts";
import { MODELS, type ModelWorld, POLICIES, type RealWorld } from "./store-world.ts";

const at = fc.nat({ max: 1 });
const name = fc.constantFrom("a.md", "b.md", "c.md");
const body: fc.Arbitrary<Body> = fc.record({
  kind: fc.constantFrom(...KINDS),
  topics: fc.array(fc.nat({ max: TOPIC_COUNT - 1 }), { minLength: 1, maxLength: 3 }),
});
const unreadable: Body = { kind: "file", topics: [] };
const labels: fc.Arbitrary<Partial<model.Labels>> = fc.record(
  {
    audience: fc.subarray(["public", "staff", "partner"]),
    contentCategory: fc.constantFrom("help", "policy"),
    path: fc.constantFrom([], ["Support"], ["Support", "Billing"], ["Staff"]),
    metadata: fc.constantFrom({}, { owner: "Ada" }),
  },
  { requiredKeys: [] },
);

const put = fc
  .record({
    at,
    name,
    body: fc.oneof({ weight: 9, arbitrary: body }, { weight: 1, arbitrary: fc.constant(unreadable) }),
    labels,
  })
  .map(({ at, name, body, labels }) =>
    step({
      at,
      story: `puts ${name}: ${body.kind} of ${JSON.stringify(body.topics)} with ${JSON.stringify(labels)}`,
      async run({ company, own }) {
        const id = await putSource(own.scope, name, body, labels);
        own.ids.set(name, id);
        model.give(company, name, { body, labels, reading: await readingOf(name, body) }, { again: false });
      },
    }),
  );

async function putSource(
  scope: TenantScope,
  sourceId: string,
  given: Body,
  own: Partial<model.Labels>,
): Promise<string> {
  const [content, options] = [textOf(given), { widenTo: "any" } as const];
  const said = { sourceId, ...own };
  const source = {
    text: { sourceType: "document", title: titleOf(sourceId), content, ...said },
    qa: { sourceType: "qa", question: questionOf(sourceId), answer: content, ...said },
  };
  const [accepted] =
    given.kind === "file"
      ? await addFiles(scope, SYSTEM_ACTOR, [{ bytes: Buffer.from(content), ...said }], options)
      : await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(source[given.kind])], options);
  if (!accepted) throw new Error("nothing was accepted");
  return accepted.id;
}

const isThere = (name: string) => (company: model.CompanyModel) => company.sources.get(name)?.deleted === false;
const isDeleted = (name: string) => (company: model.CompanyModel) => company.sources.get(name)?.deleted === true;

/** A step with an existing or deleted source. */
function withSource(
  verb: string,
  isPossible: typeof isThere,
  run: (place: Place & { name: string; id: string; source: model.Source }) => Promise<void>,
) {
  return fc.record({ at, name }).map(({ at, name }) =>
    step({
      at,
      story: `${verb} ${name}`,
      isPossible: isPossible(name),
      async run(place) {
        const source = place.company.sources.get(name);
        if (source) await run({ ...place, name, source, id: place.own.ids.get(name) ?? "" });
      },
    }),
  );
}

const relabel = fc.record({ at, name, labels }).map(({ at, name, labels }) =>
  step({
    at,
    story: `relabels ${name} with ${JSON.stringify(labels)}`,
    isPossible: isThere(name),
    async run({ company, own }) {
      await relabelSource(own.scope, SYSTEM_ACTOR, own.ids.get(name) ?? "", labels);
      const latest = company.sources.get(name)?.latest;
      if (latest) model.give(company, name, { ...latest, labels }, { again: false });
    },
  }),
);
const reindex = withSource("reindexes", isThere, async ({ company, own, id, name, source: { latest } }) => {
  await reindexSources(own.scope, SYSTEM_ACTOR, [id]);
  model.give(company, name, { ...latest, labels: {} }, { again: true });
});
const remove = withSource("deletes", isThere, async ({ own, id, source }) => {
  await deleteSource(own.scope, SYSTEM_ACTOR, id);
  source.deleted = true;
});
const restore = withSource("restores", isDeleted, async ({ own, id, source }) => {
  await restoreSource(own.scope, SYSTEM_ACTOR, id);
  source.deleted = false;
});

/** A step that finishes all jobs. */
interface Working {
  story: string;
  before?(place: Place): Promise<void>;
  after?(place: Place): void;
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
      after?.(place);
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
const compact = working({ story: "compacts", before: ({ own: { scope } }) => enqueueOne(scope, "maintain") });
const EMBEDS_AGAIN: Working = {
  story: "embeds again",
  before: ({ own: { scope } }) => enqueueOne(scope, "re-embed"),
  after({ company, world }) {
    company.serving = world.model;
  },
};
const reEmbed = working(EMBEDS_AGAIN);

function enqueueOne({ companyId, transaction }: TenantScope, kind: "maintain" | "re-embed"): Promise<void> {
  return transaction((tx) => enqueue(tx, [{ companyId, kind }]));
}

const rotate = fc.record({ at, key: fc.nat({ max: POLICIES.length - 1 }) }).map(({ at, key }) =>
  step({
    at,
    story: `rotates key ${key}`,
    async run({ own }) {
      const old = own.keys[key];
      if (!old) return;
      const { id, token } = await rotateKey(own.scope, SYSTEM_ACTOR, { id: old.id, overlap: "now" });
      own.keys[key] = { ...old, id, token, replaced: old.token };
    },
  }),
);

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
  const common = [put, put, put, relabel, relabel, reindex, remove, restore, drain, drain, stopped, purge];
  const seldom = [compact, reEmbed, rotate, choose];
  return fc.commands([...common, ...seldom, ...(restores ? [backup] : [])], { maxCommands: steps, size: "max" });
}

/** Ends a story: finishes all jobs with the chosen model and checks that nothing is left over. */
export async function settle(world: ModelWorld, real: RealWorld): Promise<void> {
  for (const at of world.companies.keys()) await workingStep(at, EMBEDS_AGAIN).run(world, real);
}
