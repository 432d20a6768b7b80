import { beforeEach, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { describeChange } from "../../label-changes.ts";
import { testDatabase } from "../../testing/database.ts";
import { exportLines, importLines } from "../../testing/export-lines.ts";
import { addAndIngest, document, newCompany } from "../../testing/knowledge.ts";
import { labelsOf, NARROW, questionFile } from "../../testing/labels.ts";
import { sourceByExternalId } from "../service.ts";
import type { AcceptOptions } from "./accept.ts";
import { addFiles, addSources } from "./add.ts";
import { importQuestions, previewQuestions } from "./import-preview.ts";
import { relabelSource, relabelSources } from "./relabel.ts";
import { sourceInput } from "./source-input.ts";

testDatabase();

const NO_LABELS = { audience: undefined, contentCategory: undefined, path: undefined };

let scope: TenantScope;
beforeEach(async () => {
  scope = await newCompany();
});

const addSource = (source: object, options: AcceptOptions = {}) =>
  addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(source)], options);

describe("a change that makes sources visible to more audiences is refused until confirmed", () => {
  const wider = { audience: ["internal", "ai_agent"] };
  const refused = { error: "Conflict", fields: { issues: [{ path: "widen" }] } };
  beforeEach(() => addAndIngest(scope, document("a.md", "Text.", NARROW)));

  it.each<[string, (options: AcceptOptions) => Promise<unknown>]>([
    [
      "a file",
      (options) =>
        addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "a.md", bytes: Buffer.from("Text."), ...wider }], options),
    ],
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
        await addAndIngest(scope, {
          sourceType: "qa",
          sourceId: "open",
          question: "Open?",
          answer: "At nine.",
          ...NARROW,
        });
        return importQuestions(
          scope,
          SYSTEM_ACTOR,
          questionFile('"internal,ai_agent"', "At nine."),
          NO_LABELS,
          options,
        );
      },
    ],
  ])("%s", async (_, act) => {
    await expect(act({})).rejects.toMatchObject(refused);
    await expect(act({ widenTo: ["copilot"] })).rejects.toThrow("1 source would become visible to ai_agent");
    expect(await labelsOf(scope, "a.md")).toEqual({ labels: NARROW, number: 1 });
    await act({ widenTo: ["ai_agent"] });
  });

  it("an export, before any of its sources is accepted", async () => {
    const lines = await exportLines(scope);
    const { id } = await sourceByExternalId(scope, SYSTEM_ACTOR, "a.md");
    await relabelSource(scope, SYSTEM_ACTOR, id, { audience: ["board"] });
    const more = JSON.stringify(document("b", "More."));
    const [header = "", ...rest] = lines;
    await expect(importLines(scope, [header, more, ...rest])).rejects.toMatchObject(refused);
    expect(await labelsOf(scope, "b")).toBeUndefined();
    const { accepted } = await importLines(scope, [header, more, ...rest], { widenTo: "any" });
    expect(accepted.flatMap(({ changes }) => changes.map(describeChange))).toEqual(["Audience: board → internal"]);
  });

  it("a large batch as a whole", async () => {
    const many = Array.from({ length: 250 }, (_, i) => sourceInput.parse(document(`n${i}`, `Text ${i}.`)));
    const last = sourceInput.parse(document("a.md", "Text.", wider));
    await expect(addSources(scope, SYSTEM_ACTOR, [...many, last])).rejects.toMatchObject(refused);
    expect(await labelsOf(scope, "n0")).toBeUndefined();
  });

  it("but not for fewer audiences, and the preview counts the sources that would widen", async () => {
    expect(await addSource(document("a.md", "Text.", { audience: [] }))).toMatchObject([{ unchanged: false }]);
    await addAndIngest(scope, { sourceType: "qa", sourceId: "open", question: "Open?", answer: "At nine.", ...NARROW });
    const { rows, widening } = await previewQuestions(
      scope,
      SYSTEM_ACTOR,
      questionFile('"copilot,public"', "At nine."),
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
