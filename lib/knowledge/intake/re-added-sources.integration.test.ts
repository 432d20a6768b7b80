import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { embeddings } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { describeChange } from "../../label-changes.ts";
import { testDatabase } from "../../testing/database.ts";
import { exportLines, importLines } from "../../testing/export-lines.ts";
import { addAndIngest, ask, document, newCompany, work } from "../../testing/knowledge.ts";
import { labelsOf, NARROW, questionFile } from "../../testing/labels.ts";
import { deleteSource, sourceByExternalId } from "../service.ts";
import type { AcceptOptions } from "./accept.ts";
import { addFiles, addSources, type GivenFile } from "./add.ts";
import { labelsInput, uploadInput } from "./edit-input.ts";
import { importQuestions, previewQuestions } from "./import-preview.ts";
import { relabelSource } from "./relabel.ts";
import { sourceInput } from "./source-input.ts";

const { db } = testDatabase();

const NO_LABELS = { audience: undefined, contentCategory: undefined, path: undefined };
/** The empty label fields of a dashboard form. */
const EMPTY_FIELDS = labelsInput.parse({ audience: [], contentCategory: "", path: "" });

let scope: TenantScope;
beforeEach(async () => {
  scope = await newCompany();
});

const upload = (text: string, labels: Partial<GivenFile> = {}, options: AcceptOptions = {}) =>
  addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "a.md", bytes: Buffer.from(text), ...labels }], options);

/** One source, as text. */
const addSource = (source: object, options: AcceptOptions = {}) =>
  addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(source)], options);

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
    await addAndIngest(scope, document("a.md", "Old text.", NARROW));
    await again();
    await work(scope);
    expect(await labelsOf(scope, sourceId)).toEqual({ labels: NARROW, number: 2 });
  });

  it("the same file", async () => {
    await upload("# Pay\n\nGrade seven.", NARROW);
    await work(scope);
    expect(await upload("# Pay\n\nGrade seven.")).toMatchObject([{ unchanged: true, changes: [] }]);
    expect(await labelsOf(scope, "a.md")).toEqual({ labels: NARROW, number: 1 });
    const { response } = await ask(scope, { queryText: "grade seven", filters: { audience: "ai_agent" } });
    expect(response.results).toEqual([]);
  });

  it("a row of a Q&A file, whose preview shows that only the answer changes", async () => {
    await addAndIngest(scope, { sourceType: "qa", sourceId: "open", question: "Open?", answer: "At nine.", ...NARROW });
    const same = await previewQuestions(scope, SYSTEM_ACTOR, questionFile("", "At nine."), NO_LABELS);
    expect(same.counts).toMatchObject({ changed: 0, unchanged: 1 });
    const { rows, widening } = await previewQuestions(scope, SYSTEM_ACTOR, questionFile("", "At ten."), NO_LABELS);
    expect(rows).toMatchObject([{ state: "changed", before: "At nine.", changes: [] }]);
    expect(widening).toBeNull();
    await importQuestions(scope, SYSTEM_ACTOR, questionFile("", "At ten."), NO_LABELS);
    expect(await labelsOf(scope, "open")).toEqual({ labels: NARROW, number: 2 });
  });

  it("a line of an export without labels", async () => {
    await addAndIngest(scope, document("a", "Text.", NARROW));
    const [header = "", line = ""] = await exportLines(scope);
    const { audience: _, contentCategory: __, path: ___, metadata: ____, ...bare } = JSON.parse(line);
    const { accepted } = await importLines(scope, [header, JSON.stringify(bare)]);
    expect(accepted).toMatchObject([{ unchanged: true }]);
  });

  it("a source that was deleted, and a source with a failed version", async () => {
    await addAndIngest(scope, document("a.md", "Text.", NARROW));
    await deleteSource(scope, SYSTEM_ACTOR, (await sourceByExternalId(scope, SYSTEM_ACTOR, "a.md")).id);
    await addSource(document("a.md", "Text."));
    await work(scope);
    expect(await labelsOf(scope, "a.md")).toEqual({ labels: NARROW, number: 2 });
    await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "b.pdf", bytes: Buffer.from("no PDF"), ...NARROW }]);
    await work(scope);
    await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "b.pdf", bytes: Buffer.from("none either") }]);
    expect((await labelsOf(scope, "b.pdf"))?.labels).toEqual(NARROW);
  });

  it("a new source gets the company's defaults", async () => {
    await addSource(document("new", "Text."));
    expect((await labelsOf(scope, "new"))?.labels).toEqual({
      audience: ["ai_agent", "copilot"],
      contentCategory: "general",
      path: [],
      metadata: {},
    });
  });
});

describe("a new label replaces the old one", () => {
  it("for each label, and the result lists the change", async () => {
    await addAndIngest(scope, document("a", "Text.", NARROW));
    const [category] = await addSource(document("a", "Text.", { contentCategory: "pay" }));
    expect(category?.changes.map(describeChange)).toEqual(["Category: policy → pay"]);
    const [path] = await addSource(document("a", "Text.", { path: ["Staff"] }));
    expect(path?.changes.map(describeChange)).toEqual(["Path: Staff / Pay → Staff"]);
    expect(await labelsOf(scope, "a")).toEqual({
      labels: { ...NARROW, contentCategory: "pay", path: ["Staff"] },
      number: 3,
    });
  });

  it("when the new label is empty", async () => {
    await addAndIngest(scope, document("a", "Text.", NARROW));
    const [{ changes } = { changes: [] }] = await addSource(
      document("a", "Text.", { audience: [], path: [], metadata: {} }),
    );
    expect(changes.map(describeChange)).toEqual([
      "Audience: internal → none",
      "Path: Staff / Pay → none",
      'Metadata: {"owner":"Ada"} → none',
    ]);
    expect((await labelsOf(scope, "a"))?.labels).toEqual({ ...NARROW, audience: [], path: [], metadata: {} });
  });

  it("in the label form of a source, where an empty category becomes the default category", async () => {
    await addAndIngest(scope, document("a", "Text.", NARROW));
    const { id } = await sourceByExternalId(scope, SYSTEM_ACTOR, "a");
    await relabelSource(scope, SYSTEM_ACTOR, id, { audience: [], contentCategory: "general", path: [], metadata: {} });
    expect((await labelsOf(scope, "a"))?.labels).toEqual({
      audience: [],
      contentCategory: "general",
      path: [],
      metadata: {},
    });
  });

  it("without embedding anything again", async () => {
    await addAndIngest(scope, document("a", "One text.", NARROW));
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

it("empty label fields of an upload mean that no label is given", () => {
  const labels = JSON.stringify({ audience: [], contentCategory: " ", path: " / " });
  expect(uploadInput.parse({ name: "a.md", labels }).labels).toEqual(NO_LABELS);
});
