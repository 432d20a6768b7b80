import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { sourceVersions } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { exportSources } from "../knowledge/export.ts";
import { addFiles, addSources } from "../knowledge/intake/add.ts";
import { relabelSource } from "../knowledge/intake/relabel.ts";
import { sourceInput } from "../knowledge/intake/source-input.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, document, newCompany, work } from "../testing/knowledge.ts";
import { explainSource } from "./explain.ts";
import { retrieveRequest } from "./schema.ts";

const { db } = testDatabase();
const queryText = "How long does a refund take?";
const TEXT = "A refund takes ten days.";
const WIDE = { audience: ["staff", "public"], contentCategory: "help", path: ["Help", "Refunds"] };
const BAD_FILE = { sourceId: "refunds", bytes: new Uint8Array() };

let scope: TenantScope;
let id: string;
beforeEach(async () => {
  scope = await newCompany();
  const [accepted] = await addAndIngest(scope, document("refunds", TEXT, WIDE));
  id = accepted?.id ?? "";
});

interface Filters {
  audience?: string;
  contentCategory?: string[];
  path?: string[];
}

/** The audiences of the results, first with filters, then with a key whose policy has the same filters. */
async function found(filters: Filters): Promise<unknown[]> {
  const { audience, ...others } = filters;
  const policy = { ...others, ...(audience && { audience: [audience] }) };
  const answers = [await ask(scope, { queryText, filters }), await ask(scope, { queryText }, { policy })];
  return answers.map(({ response }) => response.results.map(({ payload }) => payload.audience));
}

const NARROWED = [
  { label: "audience", narrow: { audience: ["staff"] }, lost: { audience: "public" }, kept: { audience: "staff" } },
  { label: "category", narrow: { contentCategory: "hr" }, lost: { contentCategory: ["help"] }, kept: {} },
  { label: "path", narrow: { path: ["Staff"] }, lost: { path: ["Help"] }, kept: {} },
];

const addText = (text: string, labels: object) =>
  addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(document("refunds", text, labels))]);

const CHANGES: [string, (narrow: object) => Promise<unknown>][] = [
  ["while its new text is processed", (narrow) => addText("A refund takes a year.", narrow)],
  [
    "after new text was added, and before it is ready",
    async (narrow) => {
      await addText("A refund takes a year.", {});
      await relabelSource(scope, SYSTEM_ACTOR, id, narrow);
    },
  ],
  [
    "with a new file that cannot be read",
    async (narrow) => {
      await addFiles(scope, SYSTEM_ACTOR, [{ ...BAD_FILE, ...narrow }]);
      await work(scope);
    },
  ],
  [
    "after a new file could not be read",
    async (narrow) => {
      await addFiles(scope, SYSTEM_ACTOR, [BAD_FILE]);
      await work(scope);
      await relabelSource(scope, SYSTEM_ACTOR, id, narrow);
      await work(scope);
    },
  ],
  [
    "with more chunks than are copied at a time",
    async (narrow) => {
      await db.update(sourceVersions).set({ chunkCount: 2_001 }).where(eq(sourceVersions.sourceId, id));
      await relabelSource(scope, SYSTEM_ACTOR, id, narrow);
    },
  ],
];

describe.each(NARROWED)("a source whose $label is narrowed", ({ narrow, lost, kept }) => {
  it.each(CHANGES)("is hidden from those who may no longer see it, %s", async (_, change) => {
    expect((await found(lost)).flat()).toHaveLength(2);
    await change(narrow);
    expect((await found(lost)).flat()).toEqual([]);
    const { audience } = { ...WIDE, ...narrow };
    expect(await found(kept)).toEqual([[audience], [audience]]);
  });
});

it("a source with a wider audience is returned to the new audience once its new text is ready", async () => {
  const [accepted] = await addText("A refund takes a year.", { audience: ["staff"] });
  await relabelSource(scope, SYSTEM_ACTOR, accepted?.id ?? "", { audience: ["staff", "partner"] });
  expect((await found({ audience: "partner" })).flat()).toEqual([]);
  expect((await found({ audience: "staff" })).flat()).toEqual([["staff"], ["staff"]]);
  await work(scope);
  expect((await found({ audience: "partner" })).flat()).toHaveLength(2);
  expect((await found({ audience: "public" })).flat()).toEqual([]);
});

it("a narrowed source is explained by the filter that excludes it, and exported with its narrowed audience", async () => {
  await addText("A refund takes a year.", { audience: ["staff"] });
  const request = retrieveRequest.parse({ queryText, filters: { audience: "public" } });
  const { verdict } = await explainSource(scope, request, { policy: {}, name: "refunds" });
  expect(verdict).toEqual({ kind: "excluded", by: [{ filter: "audience", isOfKey: false }] });
  const lines: string[] = [];
  for await (const { line } of exportSources(scope, SYSTEM_ACTOR)) lines.push(line);
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ content: TEXT, audience: ["staff"] });
});
