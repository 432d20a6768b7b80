import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { CLI_ACTOR } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, newCompany } from "../../testing/knowledge.ts";
import { makeXlsx } from "../parse/sheet-fixtures.ts";
import { verifyAnswers } from "../verify/verify.ts";
import { addSources } from "./add.ts";
import { getContent } from "./edit-content.ts";
import { importQuestions, previewQuestions } from "./import-preview.ts";
import { sourceInput } from "./source-input.ts";

const database = testDatabase();
const NO_LABELS = { audience: undefined, contentCategory: undefined, path: undefined };
const INTERNAL = ["agents"];
const PUBLIC = ["agents", "public"];
/** A row whose question is similar to that of the source, not the same. */
const FILE = {
  fileName: "faq.csv",
  bytes: Buffer.from("question,answer\nHow long does the refund take?,Ask Rita."),
};
let scope: TenantScope;
let id: string;

const refunds = (more: object) =>
  sourceInput.parse({
    ...{ sourceType: "qa", sourceId: "refunds", question: "How long does a refund take?", answer: "Ten days." },
    ...more,
  });

/** Accepts a public version with another phrasing, which stays in processing. */
const publish = () =>
  addSources(scope, CLI_ACTOR, [refunds({ audience: PUBLIC, alternatives: ["When is it paid?"] })], { widenTo: "any" });

const rowOf = async (audience: string[]) =>
  (await previewQuestions(scope, CLI_ACTOR, FILE, { ...NO_LABELS, audience })).rows[0];

const merge = (audience: string[], by = scope) =>
  importQuestions(by, CLI_ACTOR, FILE, { ...NO_LABELS, audience }, { merge: true });

beforeEach(async () => {
  scope = await newCompany();
  const [known] = await addAndIngest(scope, refunds({ audience: INTERNAL }));
  id = known?.id ?? "";
});

test("a row is compared with the newest version of an answer while an older one is served", async () => {
  expect(await rowOf(INTERNAL)).toMatchObject({ answeredIn: { id, keptBecause: null } });
  await publish();
  expect(await rowOf(INTERNAL)).toMatchObject({
    answeredIn: { id, keptBecause: "that answer has the audience “agents, public”" },
  });
  expect((await merge(INTERNAL)).merged).toBe(0);
  expect((await getContent(scope, CLI_ACTOR, id)).body).toMatchObject({ answer: "Ten days." });
});

test("a row that replaces an answer keeps the other phrasings of its newest version", async () => {
  await publish();
  expect((await merge(PUBLIC)).merged).toBe(1);
  expect((await getContent(scope, CLI_ACTOR, id)).body).toMatchObject({
    answer: "Ask Rita.",
    alternatives: ["When is it paid?", "How long does the refund take?"],
  });
});

test("a row for whose phrasing the source has no room is added beside it", async () => {
  const alternatives = Array.from({ length: 50 }, (_, number) => `Phrasing ${number}?`);
  await addAndIngest(scope, refunds({ audience: INTERNAL, alternatives }));
  expect(await rowOf(INTERNAL)).toMatchObject({
    answeredIn: { id, keptBecause: "a question can have 50 other phrasings" },
  });
  const { merged, accepted } = await merge(INTERNAL);
  expect([merged, accepted.length]).toEqual([0, 1]);
  expect((await getContent(scope, CLI_ACTOR, accepted[0]?.id ?? "")).body).toMatchObject({ answer: "Ask Rita." });
  expect((await getContent(scope, CLI_ACTOR, id)).body).toMatchObject({ answer: "Ten days.", alternatives });
});

test("an import replaces no answer that was changed since it was compared", async () => {
  const changedMeanwhile: TenantScope = {
    ...scope,
    async changeContent(work) {
      await publish();
      return scope.changeContent(work);
    },
  };
  await expect(merge(INTERNAL, changedMeanwhile)).rejects.toMatchObject({ error: "PreconditionFailed" });
  expect((await getContent(scope, CLI_ACTOR, id)).body).toMatchObject({ answer: "Ten days." });
});

test("an answer is shown as verified until its verification expires", async () => {
  const isVerified = (expected: boolean) => ({ answeredIn: { id, isVerified: expected } });
  expect(await rowOf(INTERNAL)).toMatchObject(isVerified(false));
  await verifyAnswers(scope, CLI_ACTOR, { ids: [id], until: null, versionId: undefined });
  expect(await rowOf(INTERNAL)).toMatchObject(isVerified(true));
  await database.db.execute(sql`update ragstone.sources set verified_until = '2020-01-01' where id = ${id}`);
  expect(await rowOf(INTERNAL)).toMatchObject(isVerified(false));
});

test("rows of the same number in two sheets are apart", async () => {
  const columns = ["question", "answer", "sourceId"];
  const bytes = makeXlsx({
    Money: [columns, ["How long does a refund take", "Six days.", "bot"], ["Cash?", "No.", "cash"]],
    People: [columns, ["Who?", "Us.", "who"], ["Cash?", "Yes.", "cash"], ["", "Nobody asked.", ""]],
  });
  const file = { fileName: "faq.xlsx", bytes };
  const labels = { ...NO_LABELS, audience: INTERNAL };
  const { rows, answered } = await previewQuestions(scope, CLI_ACTOR, file, labels);
  expect(answered).toBe(1);
  const repeated = 'Sheet "Money": row 3 of sheet "People" has the same sourceId and replaces this row';
  expect(rows).toMatchObject([
    { row: 2, sheet: "Money", answeredIn: { id, keptBecause: null } },
    { row: 3, sheet: "Money", error: repeated },
    { row: 2, sheet: "People", question: "Who?", answeredIn: null },
    { row: 3, sheet: "People", answer: "Yes.", answeredIn: null },
    { row: 4, sheet: "People", error: expect.stringMatching(/^Sheet "People": question/) },
  ]);
  expect(new Set(rows.map(({ position }) => position)).size).toBe(rows.length);

  const { merged, accepted } = await importQuestions(scope, CLI_ACTOR, file, labels, { merge: true });
  expect([merged, accepted.map(({ sourceId }) => sourceId)]).toEqual([1, ["refunds", "cash", "who"]]);
  expect((await getContent(scope, CLI_ACTOR, id)).body).toMatchObject({ answer: "Six days." });
});
