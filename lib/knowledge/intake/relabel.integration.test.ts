import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Actor, SYSTEM_ACTOR } from "../../audit/record.ts";
import { auditLog, sourceVersions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, document, newCompany } from "../../testing/knowledge.ts";
import { labelsOf, NARROW } from "../../testing/labels.ts";
import { deleteSource, sourceByExternalId } from "../service.ts";
import type { AcceptOptions } from "./accept.ts";
import { addSources } from "./add.ts";
import { sourceLabelsInput } from "./edit-input.ts";
import { lastRelabel } from "./last-relabel.ts";
import { reindexSources, relabelSource, relabelSources, undoRelabel } from "./relabel.ts";
import { sourceInput } from "./source-input.ts";

const { db } = testDatabase();

/** A change of an event. */
const shortened = z.looseObject({ sources: z.array(z.string()), moreSources: z.number().optional() });

let scope: TenantScope;
beforeEach(async () => {
  scope = await newCompany();
});

const addSource = (source: object, options: AcceptOptions = {}) =>
  addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(source)], options);

/** The ids of the sources with these source IDs. */
const idsOf = (...sourceIds: string[]) =>
  Promise.all(sourceIds.map(async (each) => (await sourceByExternalId(scope, SYSTEM_ACTOR, each)).id));

/** The company's scope, in which something else happens before or after the first change. */
function interrupted({
  before,
  after,
}: {
  before?: () => Promise<unknown>;
  after?: () => Promise<unknown>;
}): TenantScope {
  let changes = 0;
  return {
    ...scope,
    async changeContent(work) {
      changes += 1;
      if (changes === 1) await before?.();
      const result = await scope.changeContent(work);
      if (changes === 1) await after?.();
      return result;
    },
  };
}

async function events() {
  const { action, targetName, detail } = auditLog;
  return db
    .select({ action, targetName, detail })
    .from(auditLog)
    .where(eq(auditLog.companyId, scope.companyId))
    .orderBy(asc(auditLog.createdAt));
}

describe("the audit log", () => {
  it("records one event for a change of labels, with the previous values", async () => {
    await addAndIngest(scope, document("a", "Text.", NARROW), document("b", "Text two.", NARROW));
    const ids = await idsOf("a", "b");
    await relabelSources(scope, SYSTEM_ACTOR, ids, { audience: ["public"] }, { widenTo: "any" });
    expect((await events()).at(-1)).toEqual({
      action: "knowledge.relabelled",
      targetName: "2 sources",
      detail: { labels: [{ label: "audience", before: ["internal"], after: ["public"], sources: ["a", "b"] }] },
    });
    await reindexSources(scope, SYSTEM_ACTOR, [ids[0] ?? ""]);
    expect((await events()).at(-1)).toMatchObject({ action: "knowledge.reindexed", targetName: "a" });
    await addSource(document("a", "Other text.", { audience: ["internal"] }), { widenTo: "any" });
    expect((await events()).at(-1)).toMatchObject({
      action: "knowledge.changed",
      detail: { labels: [{ label: "audience", before: ["public"], after: ["internal"] }] },
    });
  });
});

describe("the audit log of a very large change", () => {
  it("has a small event, which names some sources and counts all", async () => {
    const names = Array.from({ length: 300 }, (_, i) => `${"n".repeat(500)}${100 + i}`);
    const texts = names.map((name, i) => document(name, `Text ${i}.`, { title: "Text", metadata: { i } }));
    const added = await addSources(scope, SYSTEM_ACTOR, sourceInput.array().parse(texts));
    const ids = added.map(({ id }) => id);
    await relabelSources(scope, SYSTEM_ACTOR, ids, { contentCategory: "pay" });
    const [category] = z.array(shortened).parse((await events()).at(-1)?.detail.labels);
    expect(category?.sources[0]).toBe(names[0]);
    expect(category?.sources.length).toBeLessThan(200);
    expect((category?.sources.length ?? 0) + (category?.moreSources ?? 0)).toBe(300);

    await relabelSources(scope, SYSTEM_ACTOR, ids, { metadata: {} });
    const { targetName, detail } = (await events()).at(-1) ?? expect.fail();
    expect(targetName).toBe("300 sources");
    expect(JSON.stringify(detail).length).toBeLessThan(150_000);
    const labels = z.array(shortened).parse(detail.labels);
    expect(labels.length + Number(detail.moreChanges)).toBe(300);
    expect(labels[0]).toEqual({ label: "metadata", before: { i: 0 }, after: {}, sources: [names[0]] });
  });
});

describe("a change of labels", () => {
  it("can be undone for the sources that still have it", async () => {
    await addAndIngest(scope, document("a", "Text.", NARROW), document("b", "Text two."), document("c", "Text three."));
    const ids = await idsOf("a", "b", "c");
    const relabelId = randomUUID();
    await relabelSources(scope, SYSTEM_ACTOR, ids, { audience: ["board"] }, { widenTo: "any", relabelId });
    await relabelSource(scope, SYSTEM_ACTOR, ids[1] ?? "", { audience: ["later"] });
    await deleteSource(scope, SYSTEM_ACTOR, ids[2] ?? "");
    const { undone, leftOut } = await undoRelabel(scope, SYSTEM_ACTOR, relabelId);
    expect(leftOut).toBe(2);
    expect(undone.map(({ sourceId }) => sourceId)).toEqual(["a"]);
    expect((await labelsOf(scope, "a"))?.labels).toEqual(NARROW);
    expect((await labelsOf(scope, "b"))?.labels.audience).toEqual(["later"]);
    expect(await undoRelabel(scope, SYSTEM_ACTOR, relabelId)).toEqual({ undone: [], leftOut: 3 });
  });

  it("is found again by its author, until nothing of it is left to undo", async () => {
    await addAndIngest(scope, document("a", "Text.", NARROW), document("b", "Text two.", NARROW));
    const ids = await idsOf("a", "b");
    const { companyId } = scope;
    const ada: Actor = { type: "user", id: randomUUID(), name: "Ada", companyId, role: "admin" };
    const bob: Actor = { ...ada, id: randomUUID() };
    expect(await lastRelabel(scope, ada)).toBeNull();
    await relabelSources(scope, ada, ids, { path: ["moved"] }, { relabelId: randomUUID() });
    expect(await lastRelabel(scope, bob)).toBeNull();
    const found = await lastRelabel(scope, ada);
    expect(found?.sources).toBe(2);
    await undoRelabel(scope, ada, found?.id ?? "");
    expect((await labelsOf(scope, "a"))?.labels).toEqual(NARROW);
    expect(await lastRelabel(scope, ada)).toBeNull();
  });

  it("adds or removes audiences of several sources, each of which keeps its other ones", async () => {
    await addAndIngest(
      scope,
      document("a", "One.", { audience: ["x"] }),
      document("b", "Two.", { audience: ["y", "z"] }),
    );
    const ids = await idsOf("a", "b");
    const change = (audienceChange: "add" | "remove", audience: string[]) =>
      relabelSources(scope, SYSTEM_ACTOR, ids, { audience, audienceChange }, { widenTo: "any" });
    const audiences = async () => [
      (await labelsOf(scope, "a"))?.labels.audience,
      (await labelsOf(scope, "b"))?.labels.audience,
    ];
    await expect(relabelSources(scope, SYSTEM_ACTOR, ids, { audience: ["y"], audienceChange: "add" })).rejects.toThrow(
      "1 source would become visible to y",
    );
    await change("add", ["y"]);
    expect(await audiences()).toEqual([
      ["x", "y"],
      ["y", "z"],
    ]);
    await change("remove", ["y", "unknown"]);
    expect(await audiences()).toEqual([["x"], ["z"]]);
  });

  it("adds audiences to those that a source has when its batch is changed", async () => {
    await addAndIngest(scope, document("a", "One.", { audience: ["x"] }));
    const [id = ""] = await idsOf("a");
    const later = interrupted({ before: () => relabelSource(scope, SYSTEM_ACTOR, id, { audience: ["later"] }) });
    await relabelSources(later, SYSTEM_ACTOR, [id], { audience: ["y"], audienceChange: "add" }, { widenTo: "any" });
    expect((await labelsOf(scope, "a"))?.labels.audience).toEqual(["later", "y"]);
  });

  it("returns what the batches before did when a later one is refused, for the undo", async () => {
    const texts = Array.from({ length: 201 }, (_, i) => document(`n${i}`, `Text ${i}.`, { audience: ["x"] }));
    const ids = await addSources(scope, SYSTEM_ACTOR, sourceInput.array().parse(texts));
    const [last = ""] = await idsOf("n99");
    const narrowed = interrupted({ after: () => relabelSource(scope, SYSTEM_ACTOR, last, { audience: [] }) });
    const relabelId = randomUUID();
    const done = await relabelSources(
      narrowed,
      SYSTEM_ACTOR,
      ids.map(({ id }) => id),
      { path: ["moved"], audience: ["x"], audienceChange: "add" },
      { relabelId },
    );
    expect(done).toHaveLength(200);
    const { undone, leftOut } = await undoRelabel(scope, SYSTEM_ACTOR, relabelId);
    expect([undone.length, leftOut]).toEqual([200, 0]);
    expect((await labelsOf(scope, "n0"))?.labels.path).toEqual([]);
    expect((await labelsOf(scope, "n99"))?.labels).toMatchObject({ audience: [], path: [] });
  });

  it("is refused when the labels have changed since the form was opened", async () => {
    const audience = ["internal", "public"];
    const [shown = expect.fail()] = await addAndIngest(scope, document("a", "Text.", { audience }));
    const ids = { id: shown.id, versionId: shown.versionId };
    const form = { ...ids, audience, contentCategory: "pay", path: "", metadata: "{}" };
    const save = (input: typeof form) => {
      const { id, versionId, ...labels } = sourceLabelsInput.parse(input);
      return relabelSource(scope, SYSTEM_ACTOR, id, labels, { ifMatch: versionId });
    };
    const narrowed = await save({ ...form, audience: ["internal"], contentCategory: "" });
    await expect(save(form)).rejects.toMatchObject({ error: "PreconditionFailed" });
    expect((await labelsOf(scope, "a"))?.labels.audience).toEqual(["internal"]);
    await save({ ...form, versionId: narrowed.versionId, audience: ["internal"] });
    expect((await labelsOf(scope, "a"))?.labels).toMatchObject({ audience: ["internal"], contentCategory: "pay" });
  });

  it("keeps texts that are added at the same time", async () => {
    await addAndIngest(scope, document("a", "Old text.", NARROW));
    const { id } = await sourceByExternalId(scope, SYSTEM_ACTOR, "a");
    await Promise.all([
      ...Array.from({ length: 5 }, (_, i) => addSource(document("a", `Text ${i}.`))),
      ...["x", "y", "z"].map((each) => relabelSource(scope, SYSTEM_ACTOR, id, { path: [each] })),
    ]);
    const versions = await db
      .select({ body: sourceVersions.body, path: sourceVersions.path })
      .from(sourceVersions)
      .where(eq(sourceVersions.sourceId, id))
      .orderBy(asc(sourceVersions.number));
    const texts = versions.map(({ body }) => (body.kind === "text" ? body.content : ""));
    // each text appears once, because no label change may bring back a replaced text
    const runs = texts.filter((text, index) => text !== texts[index - 1]);
    expect(runs).toHaveLength(new Set(texts).size);
  });
});
