import { beforeEach, expect, test } from "vitest";
import { CLI_ACTOR, type KeyActor } from "../../audit/record.ts";
import type { KeyPolicy } from "../../db/stored-json.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, newCompany } from "../../testing/knowledge.ts";
import { addSources } from "../intake/add.ts";
import { getContent } from "../intake/edit-content.ts";
import { identifiedSource } from "../intake/source-input.ts";
import { makeXlsx } from "../parse/sheet-fixtures.ts";
import { deleteSource } from "../service.ts";
import { mergeRepeated } from "./merge.ts";
import { putBatch, putQuestions, putSource } from "./put.ts";
import { batchInput } from "./schema.ts";

testDatabase();
const MERGE = { merge: true };
const LABELS = { path: ["Billing"], audience: ["public", "staff"] };
let scope: TenantScope;
let id: string;
let versionId: string;

const question = (sourceId: string, more: object = {}) =>
  identifiedSource.parse({
    ...{ sourceType: "qa", sourceId, question: "How long does a refund take?", answer: "Six days." },
    ...more,
  });

const answer = async () => (await getContent(scope, CLI_ACTOR, id)).body;

function keyWith(policy: KeyPolicy): KeyActor {
  const who = { type: "api_key", id: crypto.randomUUID(), name: "Bot" } as const;
  return { ...who, companyId: scope.companyId, scopes: ["manage"], policy };
}

beforeEach(async () => {
  scope = await newCompany();
  const known = question("refunds", { ...LABELS, contentCategory: "faq", answer: "Ten days." });
  const [added] = await addAndIngest(scope, known);
  id = added?.id ?? "";
  versionId = added?.versionId ?? "";
});

test("a label outside the policy of the key is refused, merged or not", async () => {
  const key = keyWith({ path: ["Billing"], audience: ["public", "staff"] });
  const outside = question("bot", { path: ["Internal"], audience: ["public", "staff"] });
  await expect(putSource(scope, key, outside, MERGE)).rejects.toMatchObject({
    error: "Forbidden",
    message: expect.stringContaining("path"),
  });
  await expect(putSource(scope, key, question("bot"), MERGE)).rejects.toMatchObject({
    error: "Forbidden",
    message: expect.stringContaining("audience"),
  });
  const { sources } = batchInput.parse({ sources: [outside, question("other", { question: "Who?", ...LABELS })] });
  const { failed } = await putBatch(scope, key, sources, MERGE);
  expect(failed).toMatchObject([{ sourceId: "bot", issues: [{ path: "path" }] }]);
  expect(await answer()).toMatchObject({ answer: "Ten days." });
  const inside = await putSource(scope, key, question("bot", LABELS), MERGE);
  expect(inside).toMatchObject({ id, mergedFrom: "bot" });
});

test.each([{ path: ["Internal"] }, { path: ["Billing", "Internal"] }, { contentCategory: "internal" }])(
  "a question sent with %j keeps its labels and its answer",
  async (other) => {
    const kept = await putSource(scope, CLI_ACTOR, question("bot", { ...LABELS, ...other }), MERGE);
    expect(kept).toMatchObject({ sourceId: "bot", alreadyAnsweredIn: { id } });
    expect(await answer()).toMatchObject({ answer: "Ten days." });
  },
);

test("a question is not merged into a source of the same batch", async () => {
  const given = [
    question("refunds", { answer: "Eight days.", alternatives: ["When do I get my money back?"], path: ["Help"] }),
    question("bot", { audience: ["public", "staff"] }),
  ];
  const { sources } = batchInput.parse({ sources: given });
  const { accepted, failed } = await putBatch(scope, CLI_ACTOR, sources, MERGE);
  expect(failed).toEqual([]);
  expect(accepted.map((one) => one.sourceId).sort()).toEqual(["bot", "refunds"]);
  expect(await answer()).toMatchObject({ answer: "Eight days.", alternatives: ["When do I get my money back?"] });
});

test("a question is merged, not the row of the same number in another sheet", async () => {
  const columns = ["question", "answer", "sourceId"];
  const bytes = makeXlsx({
    Money: [columns, ["How long does a refund take?", "Six days.", "bot"]],
    People: [columns, ["Who?", "Us.", "who"]],
  });
  const labels = { ...LABELS, contentCategory: undefined };
  const { accepted } = await putQuestions(scope, CLI_ACTOR, { fileName: "faq.xlsx", bytes }, labels, MERGE);
  expect(accepted).toMatchObject([{ sourceId: "refunds", mergedFrom: "bot" }, { sourceId: "who" }]);
  expect(accepted[1]).not.toHaveProperty("mergedFrom");
  expect(await answer()).toMatchObject({ answer: "Six days." });
});

test("a question is kept beside a source that has no room for its phrasings", async () => {
  const phrasings = (name: string) => Array.from({ length: 26 }, (_, number) => `${name} ${number}?`);
  const known = question("refunds", { ...LABELS, answer: "Ten days.", alternatives: phrasings("Old") });
  await addAndIngest(scope, known);
  const put = await putSource(scope, CLI_ACTOR, question("bot", { ...LABELS, alternatives: phrasings("New") }), MERGE);
  expect(put).toMatchObject({ sourceId: "bot", alreadyAnsweredIn: { id } });
  expect(await answer()).toMatchObject({ answer: "Ten days.", alternatives: phrasings("Old") });
});

test("If-Match is about the source that was sent, not about the one that it would be merged into", async () => {
  const put = putSource(scope, CLI_ACTOR, question("bot", LABELS), { merge: true, ifMatch: versionId });
  await expect(put).rejects.toMatchObject({ error: "PreconditionFailed" });
  expect(await answer()).toMatchObject({ answer: "Ten days." });
});

test("a source that was deleted since it was compared is not restored by a merge", async () => {
  const [merged] = await mergeRepeated(scope, CLI_ACTOR, [{ position: 0, source: question("bot", LABELS) }]);
  expect(merged).toMatchObject({ source: { sourceId: "refunds" }, ifMatch: versionId });
  await deleteSource(scope, CLI_ACTOR, id);
  const late = addSources(scope, CLI_ACTOR, merged ? [merged.source] : [], {
    ifMatch: new Map([["refunds", versionId]]),
  });
  await expect(late).rejects.toMatchObject({ error: "PreconditionFailed" });
});

test("a file may have more questions than one statement can name", async () => {
  const given = Array.from({ length: 66_000 }, (_, position) => ({
    position,
    source: { ...question("new", LABELS), sourceId: `row-${position}` },
  }));
  const placed = await mergeRepeated(scope, CLI_ACTOR, given);
  expect(placed).toHaveLength(66_000);
  expect(placed.at(-1)).toMatchObject({ position: 65_999, mergedFrom: "row-65999" });
});
