import { rejects } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { authenticateKey, keyActor } from "../../lib/api-keys/authenticate.ts";
import { type Actor, SYSTEM_ACTOR } from "../../lib/audit/record.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { addFiles, addSources } from "../../lib/knowledge/intake/add.ts";
import {
  editContent,
  getContent,
  restoreVersion as restoreSourceVersion,
} from "../../lib/knowledge/intake/edit-content.ts";
import { reindexSources, relabelSource, relabelSources, undoRelabel } from "../../lib/knowledge/intake/relabel.ts";
import { sourceInput } from "../../lib/knowledge/intake/source-input.ts";
import { restoreSource } from "../../lib/knowledge/restore.ts";
import { deleteSource } from "../../lib/knowledge/service.ts";
import { VERSIONS_RESTORABLE } from "../../lib/knowledge/values.ts";
import * as model from "./store-model.ts";
import { type Place, step } from "./store-step.ts";
import { type Body, KINDS, questionOf, readingOf, TOPIC_COUNT, textOf, titleOf } from "./store-texts.ts";
import { POLICIES } from "./store-world.ts";

const at = fc.nat({ max: 1 });
const name = fc.constantFrom("a.md", "b.md", "c.md");
const body: fc.Arbitrary<Body> = fc.record(
  {
    kind: fc.constantFrom(...KINDS),
    topics: fc.array(fc.nat({ max: TOPIC_COUNT - 1 }), { minLength: 1, maxLength: 3 }),
  },
  // the model compares bodies, and two prototypes are a difference
  { noNullPrototype: true },
);
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
        const id = await putSource(own.scope, SYSTEM_ACTOR, { name, body, labels });
        own.ids.set(name, id);
        model.give(company, name, { body, labels, reading: await readingOf(name, body) }, { again: false });
      },
    }),
  );

/** The key's policy binds the labels, or refuses them. */
const putByKey = fc
  .record({ at, name, key: fc.nat({ max: POLICIES.length - 1 }), body, labels })
  .map(({ at, name, key, body, labels }) =>
    step({
      at,
      story: `puts ${name} with key ${key}: ${body.kind} of ${JSON.stringify(body.topics)} with ${JSON.stringify(labels)}`,
      async run({ company, own }) {
        const held = own.keys[key];
        if (!held) return;
        const actor = keyActor(await authenticateKey(`Bearer ${held.token}`));
        const bound = model.boundLabels(company.sources.get(name), labels, held.policy);
        const put = putSource(own.scope, actor, { name, body, labels });
        if (!bound) return rejects(put, { error: "Forbidden" });
        own.ids.set(name, await put);
        model.give(company, name, { body, labels: bound, reading: await readingOf(name, body) }, { again: false });
      },
    }),
  );

interface Given {
  name: string;
  body: Body;
  labels: Partial<model.Labels>;
}

async function putSource(scope: TenantScope, actor: Actor, { name, body, labels }: Given): Promise<string> {
  const [content, options] = [textOf(body), { widenTo: "any" } as const];
  const said = { sourceId: name, ...labels };
  const source = {
    text: { sourceType: "document", title: titleOf(name), content, ...said },
    qa: { sourceType: "qa", question: questionOf(name), answer: content, ...said },
  };
  const [accepted] =
    body.kind === "file"
      ? await addFiles(scope, actor, [{ bytes: Buffer.from(content), ...said }], options)
      : await addSources(scope, actor, [sourceInput.parse(source[body.kind])], options);
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
const relabelAll = fc.record({ at, labels }).map(({ at, labels }) =>
  step({
    at,
    story: `relabels all sources with ${JSON.stringify(labels)}`,
    isPossible: ({ sources }) => [...sources.values()].some(({ deleted }) => !deleted),
    async run({ company, own }) {
      const relabelId = randomUUID();
      await relabelSources(own.scope, SYSTEM_ACTOR, [...own.ids.values()], labels, { widenTo: "any", relabelId });
      model.relabelAll(company, relabelId, labels);
    },
  }),
);
const undo = at.map((at) =>
  step({
    at,
    story: "undoes its last change of several labels",
    isPossible: ({ relabelled }) => relabelled !== null,
    async run({ company, own }) {
      await undoRelabel(own.scope, SYSTEM_ACTOR, company.relabelled?.id ?? "");
      model.undoRelabel(company);
    },
  }),
);
const edit = fc.record({ at, name, topics: body.map(({ topics }) => topics) }).map(({ at, name, topics }) =>
  step({
    at,
    story: `edits ${name}: ${JSON.stringify(topics)}`,
    isPossible: (company) => isThere(name)(company) && company.sources.get(name)?.latest.body.kind !== "file",
    async run({ company, own }) {
      const id = own.ids.get(name) ?? "";
      const { id: versionId } = await getContent(own.scope, SYSTEM_ACTOR, id);
      const edited: Body = { kind: company.sources.get(name)?.latest.body.kind ?? "text", topics };
      await editContent(own.scope, SYSTEM_ACTOR, { id, versionId, content: editedContent(name, edited) });
      const reading = await readingOf(name, edited);
      model.give(company, name, { body: edited, labels: {}, reading }, { again: false });
    },
  }),
);

function editedContent(name: string, body: Body): Parameters<typeof editContent>[2]["content"] {
  if (body.kind === "text") return { kind: "text", title: titleOf(name), content: textOf(body) };
  return { kind: "qa", question: questionOf(name), answer: textOf(body), alternatives: [] };
}

const restoreVersion = fc
  .record({ at, name, place: fc.nat({ max: VERSIONS_RESTORABLE - 1 }) })
  .map(({ at, name, place }) => {
    const chosen = ({ sources }: model.CompanyModel) => {
      const source = sources.get(name);
      return source && model.restorable(source)[place];
    };
    return step({
      at,
      story: `restores version ${place + 1} before the newest of ${name}`,
      isPossible: (company) => isThere(name)(company) && chosen(company) !== undefined,
      async run({ company, own }) {
        const version = chosen(company);
        if (!version) return;
        await restoreSourceVersion(own.scope, SYSTEM_ACTOR, own.ids.get(name) ?? "", version.number);
        const { body, reading } = version;
        model.give(company, name, { body, labels: {}, reading }, { again: false });
      },
    });
  });
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

/** Changes of sources, the frequent ones several times. */
export const sourceChanges = [
  ...[put, put, put, put, putByKey, relabel, relabel, relabelAll, undo],
  ...[edit, restoreVersion, reindex, remove, restore],
];
