import { and, asc, desc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { auditLog, embeddings, sources, sourceVersions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { describeChange } from "../../label-changes.ts";
import { testDatabase } from "../../testing/database.ts";
import { ask, document, learn, newCompany, work } from "../../testing/knowledge.ts";
import { exportSources, importSources } from "../export.ts";
import { deleteSource, sourceByExternalId } from "../service.ts";
import type { AcceptOptions } from "./accept.ts";
import { addFiles, addSources, type GivenFile } from "./add.ts";
import { labelsInput, uploadInput } from "./edit-input.ts";
import { importQuestions, previewQuestions } from "./import-preview.ts";
import { reindexSources, relabelSource, relabelSources, undoRelabel } from "./relabel.ts";
import { sourceInput } from "./source-input.ts";

const { db } = testDatabase();

const NARROW = {
  audience: ["internal"],
  contentCategory: "policy",
  path: ["Staff", "Pay"],
  metadata: { owner: "Ada" },
};
const NO_LABELS = { audience: undefined, contentCategory: undefined, path: undefined };
/** The empty label fields of a dashboard form. */
const EMPTY_FIELDS = labelsInput.parse({ audience: [], contentCategory: "", path: "" });

let scope: TenantScope;
beforeEach(async () => {
  scope = await newCompany();
});

/** The labels and the number of a source's newest version. */
async function labelsOf(sourceId: string) {
  const { audience, contentCategory, path, metadata, number } = sourceVersions;
  const [row] = await db
    .select({ labels: { audience, contentCategory, path, metadata }, number })
    .from(sourceVersions)
    .innerJoin(sources, eq(sources.id, sourceVersions.sourceId))
    .where(and(eq(sources.companyId, scope.companyId), eq(sources.sourceId, sourceId)))
    .orderBy(desc(number));
  return row;
}

const upload = (text: string, labels: Partial<GivenFile> = {}, options: AcceptOptions = {}) =>
  addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "a.md", bytes: Buffer.from(text), ...labels }], options);

/** One source, as text. */
const addSource = (source: object, options: AcceptOptions = {}) =>
  addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(source)], options);

const faq = (audience: string, answer: string) => ({
  fileName: "faq.csv",
  bytes: Buffer.from(`question,answer,audience,sourceId\nOpen?,${answer},${audience},open\n`),
});

async function exported(): Promise<string[]> {
  const lines: string[] = [];
  for await (const { line } of exportSources(scope, SYSTEM_ACTOR)) lines.push(line);
  return lines;
}

const importLines = (lines: string[], options: AcceptOptions = {}) =>
  importSources(
    scope,
    SYSTEM_ACTOR,
    async function* () {
      yield Buffer.from(lines.join("\n"));
    },
    options,
  );

async function events() {
  const { action, targetName, detail } = auditLog;
  return db
    .select({ action, targetName, detail })
    .from(auditLog)
    .where(eq(auditLog.companyId, scope.companyId))
    .orderBy(asc(auditLog.createdAt));
}

describe("a source that is added again without labels keeps its labels", () => {
  it.each<[string, () => Promise<unknown>, string]>([
    ["a file", () => upload("New text."), "a.md"],
    ["a file from the form", () => upload("New text.", EMPTY_FIELDS), "a.md"],
    ["a document", () => addSource(document("a.md", "New text.")), "a.md"],
    ["a question", () => addSource({ sourceType: "qa", sourceId: "a.md", question: "Q?", answer: "A." }), "a.md"],
    [
      "null labels",
      () =>
        addSource(document("a.md", "New text.", { audience: null, contentCategory: null, path: null, metadata: null })),
      "a.md",
    ],
  ])("%s", async (_, again, sourceId) => {
    await learn(scope, document("a.md", "Old text.", NARROW));
    await again();
    await work(scope);
    expect(await labelsOf(sourceId)).toEqual({ labels: NARROW, number: 2 });
  });

  it("the same file", async () => {
    await upload("# Pay\n\nGrade seven.", NARROW);
    await work(scope);
    expect(await upload("# Pay\n\nGrade seven.")).toMatchObject([{ unchanged: true, changes: [] }]);
    expect(await labelsOf("a.md")).toEqual({ labels: NARROW, number: 1 });
    const { response } = await ask(scope, { queryText: "grade seven", filters: { audience: "ai_agent" } });
    expect(response.results).toEqual([]);
  });

  it("a row of a Q&A file, whose preview shows that only the answer changes", async () => {
    await learn(scope, { sourceType: "qa", sourceId: "open", question: "Open?", answer: "At nine.", ...NARROW });
    const same = await previewQuestions(scope, SYSTEM_ACTOR, faq("", "At nine."), NO_LABELS);
    expect(same.counts).toMatchObject({ changed: 0, unchanged: 1 });
    const { rows, widening } = await previewQuestions(scope, SYSTEM_ACTOR, faq("", "At ten."), NO_LABELS);
    expect(rows).toMatchObject([{ state: "changed", before: "At nine.", changes: [] }]);
    expect(widening).toBeNull();
    await importQuestions(scope, SYSTEM_ACTOR, faq("", "At ten."), NO_LABELS);
    expect(await labelsOf("open")).toEqual({ labels: NARROW, number: 2 });
  });

  it("a line of an export without labels", async () => {
    await learn(scope, document("a", "Text.", NARROW));
    const [header = "", line = ""] = await exported();
    const { audience: _, contentCategory: __, path: ___, metadata: ____, ...bare } = JSON.parse(line);
    expect(await importLines([header, JSON.stringify(bare)])).toMatchObject([{ unchanged: true }]);
  });

  it("a source that was deleted, and a source with a failed version", async () => {
    await learn(scope, document("a.md", "Text.", NARROW));
    await deleteSource(scope, SYSTEM_ACTOR, (await sourceByExternalId(scope, SYSTEM_ACTOR, "a.md")).id);
    await addSource(document("a.md", "Text."));
    await work(scope);
    expect(await labelsOf("a.md")).toEqual({ labels: NARROW, number: 2 });
    await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "b.pdf", bytes: Buffer.from("no PDF"), ...NARROW }]);
    await work(scope);
    await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "b.pdf", bytes: Buffer.from("none either") }]);
    expect((await labelsOf("b.pdf"))?.labels).toEqual(NARROW);
  });

  it("a new source gets the company's defaults", async () => {
    await addSource(document("new", "Text."));
    expect((await labelsOf("new"))?.labels).toEqual({
      audience: ["ai_agent", "copilot"],
      contentCategory: "general",
      path: [],
      metadata: {},
    });
  });
});

describe("a new label replaces the old one", () => {
  it("for each label, and the result lists the change", async () => {
    await learn(scope, document("a", "Text.", NARROW));
    const [category] = await addSource(document("a", "Text.", { contentCategory: "pay" }));
    expect(category?.changes.map(describeChange)).toEqual(["Category: policy → pay"]);
    const [path] = await addSource(document("a", "Text.", { path: ["Staff"] }));
    expect(path?.changes.map(describeChange)).toEqual(["Path: Staff / Pay → Staff"]);
    expect(await labelsOf("a")).toEqual({ labels: { ...NARROW, contentCategory: "pay", path: ["Staff"] }, number: 3 });
  });

  it("when the new label is empty", async () => {
    await learn(scope, document("a", "Text.", NARROW));
    const [{ changes } = { changes: [] }] = await addSource(
      document("a", "Text.", { audience: [], path: [], metadata: {} }),
    );
    expect(changes.map(describeChange)).toEqual([
      "Audience: internal → none",
      "Path: Staff / Pay → none",
      'Metadata: {"owner":"Ada"} → none',
    ]);
    expect((await labelsOf("a"))?.labels).toEqual({ ...NARROW, audience: [], path: [], metadata: {} });
  });

  it("in the label form of a source, where an empty category becomes the default category", async () => {
    await learn(scope, document("a", "Text.", NARROW));
    const { id } = await sourceByExternalId(scope, SYSTEM_ACTOR, "a");
    await relabelSource(scope, SYSTEM_ACTOR, id, { audience: [], contentCategory: "general", path: [], metadata: {} });
    expect((await labelsOf("a"))?.labels).toEqual({ audience: [], contentCategory: "general", path: [], metadata: {} });
  });

  it("without embedding anything again", async () => {
    await learn(scope, document("a", "One text.", NARROW));
    const vectors = () =>
      db
        .select({ ordinal: embeddings.ordinal, row: embeddings.embedding })
        .from(embeddings)
        .where(eq(embeddings.companyId, scope.companyId));
    const before = await vectors();
    await relabelSource(scope, SYSTEM_ACTOR, (await sourceByExternalId(scope, SYSTEM_ACTOR, "a")).id, {
      audience: ["public"],
    });
    await work(scope);
    expect(await vectors()).toEqual(before);
    const { response } = await ask(scope, { queryText: "one text", filters: { audience: "public" } });
    expect(response.results).toHaveLength(1);
  });
});

describe("a change that makes sources visible to more audiences is refused until confirmed", () => {
  const wider = { audience: ["internal", "ai_agent"] };
  const refused = { error: "Conflict", fields: { issues: [{ path: "widen" }] } };
  beforeEach(() => learn(scope, document("a.md", "Text.", NARROW)));

  it.each<[string, (options: AcceptOptions) => Promise<unknown>]>([
    ["a file", (options) => upload("Text.", wider, options)],
    ["a document", (options) => addSource(document("a.md", "Other text.", wider), options)],
    [
      "several sources",
      async (options) =>
        relabelSources(
          scope,
          SYSTEM_ACTOR,
          [(await sourceByExternalId(scope, SYSTEM_ACTOR, "a.md")).id],
          wider,
          options,
        ),
    ],
    [
      "rows of questions",
      async (options) => {
        await learn(scope, { sourceType: "qa", sourceId: "open", question: "Open?", answer: "At nine.", ...NARROW });
        return importQuestions(scope, SYSTEM_ACTOR, faq('"internal,ai_agent"', "At nine."), NO_LABELS, options);
      },
    ],
  ])("%s", async (_, act) => {
    await expect(act({})).rejects.toMatchObject(refused);
    await expect(act({ widenTo: ["copilot"] })).rejects.toThrow("1 source would become visible to ai_agent");
    expect(await labelsOf("a.md")).toEqual({ labels: NARROW, number: 1 });
    await act({ widenTo: ["ai_agent"] });
  });

  it("an export, before any of its sources is accepted", async () => {
    const lines = await exported();
    const { id } = await sourceByExternalId(scope, SYSTEM_ACTOR, "a.md");
    await relabelSource(scope, SYSTEM_ACTOR, id, { audience: ["board"] });
    const more = JSON.stringify(document("b", "More."));
    const [header = "", ...rest] = lines;
    await expect(importLines([header, more, ...rest])).rejects.toMatchObject(refused);
    expect(await labelsOf("b")).toBeUndefined();
    const accepted = await importLines([header, more, ...rest], { widenTo: "any" });
    expect(accepted.flatMap(({ changes }) => changes.map(describeChange))).toEqual(["Audience: board → internal"]);
  });

  it("a large batch as a whole", async () => {
    const many = Array.from({ length: 250 }, (_, i) => sourceInput.parse(document(`n${i}`, `Text ${i}.`)));
    const last = sourceInput.parse(document("a.md", "Text.", wider));
    await expect(addSources(scope, SYSTEM_ACTOR, [...many, last])).rejects.toMatchObject(refused);
    expect(await labelsOf("n0")).toBeUndefined();
  });

  it("but not for fewer audiences, and the preview counts the sources that would widen", async () => {
    expect(await addSource(document("a.md", "Text.", { audience: [] }))).toMatchObject([{ unchanged: false }]);
    await learn(scope, { sourceType: "qa", sourceId: "open", question: "Open?", answer: "At nine.", ...NARROW });
    const { rows, widening } = await previewQuestions(
      scope,
      SYSTEM_ACTOR,
      faq('"copilot,public"', "At nine."),
      NO_LABELS,
    );
    expect(rows[0]).toMatchObject({ state: "changed", before: null, changes: [{ label: "audience" }] });
    expect(widening).toEqual({
      sources: 1,
      audiences: [
        { audience: "copilot", sources: 1 },
        { audience: "public", sources: 1 },
      ],
    });
  });
});

describe("the audit log", () => {
  it("records one event for a change of labels, with the previous values", async () => {
    await learn(scope, document("a", "Text.", NARROW), document("b", "Text two.", NARROW));
    const ids = await Promise.all(
      ["a", "b"].map(async (each) => (await sourceByExternalId(scope, SYSTEM_ACTOR, each)).id),
    );
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
      action: "knowledge.added",
      detail: { labels: [{ label: "audience", before: ["public"], after: ["internal"] }] },
    });
  });
});

describe("a change of labels", () => {
  it("can be undone for the sources that still have it", async () => {
    await learn(scope, document("a", "Text.", NARROW), document("b", "Text two."));
    const ids = await Promise.all(
      ["a", "b"].map(async (each) => (await sourceByExternalId(scope, SYSTEM_ACTOR, each)).id),
    );
    const done = await relabelSources(scope, SYSTEM_ACTOR, ids, { audience: ["board"] }, { widenTo: "any" });
    await relabelSource(scope, SYSTEM_ACTOR, ids[1] ?? "", { audience: ["later"] });
    const undone = await undoRelabel(
      scope,
      SYSTEM_ACTOR,
      done.map(({ versionId }) => versionId),
    );
    expect(undone.map(({ sourceId }) => sourceId)).toEqual(["a"]);
    expect((await labelsOf("a"))?.labels).toEqual(NARROW);
    expect((await labelsOf("b"))?.labels.audience).toEqual(["later"]);
  });

  it("adds or removes audiences of several sources, each of which keeps its other ones", async () => {
    await learn(scope, document("a", "One.", { audience: ["x"] }), document("b", "Two.", { audience: ["y", "z"] }));
    const ids = await Promise.all(
      ["a", "b"].map(async (name) => (await sourceByExternalId(scope, SYSTEM_ACTOR, name)).id),
    );
    const change = (audienceChange: "add" | "remove", audience: string[]) =>
      relabelSources(scope, SYSTEM_ACTOR, ids, { audience, audienceChange }, { widenTo: "any" });
    const audiences = async () => [(await labelsOf("a"))?.labels.audience, (await labelsOf("b"))?.labels.audience];
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

  it("keeps texts that are added at the same time", async () => {
    await learn(scope, document("a", "Old text.", NARROW));
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

it("empty label fields of an upload mean that no label is given", () => {
  const labels = JSON.stringify({ audience: [], contentCategory: " ", path: " / " });
  expect(uploadInput.parse({ name: "a.md", labels }).labels).toEqual(NO_LABELS);
});
