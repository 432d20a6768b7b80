import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { LocalModelError } from "../../ai/local/local-model-error.ts";
import { createModels, RUNNING_MODELS } from "../../ai/models.ts";
import { CLI_ACTOR, type KeyActor } from "../../audit/record.ts";
import { questionKey } from "../../db/question-key.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { env } from "../../env.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, newCompany, work } from "../../testing/knowledge.ts";
import { listSources } from "../browse/list.ts";
import { putBatch, putSource } from "../manage/put.ts";
import { batchInput } from "../manage/schema.ts";
import { deleteSource } from "../service.ts";
import { addQuestion, editQuestion, mergeQuestion } from "./add-question.ts";
import { getContent } from "./edit-content.ts";
import { findAnswered, findRepeated } from "./find-answered.ts";
import { importQuestions, previewQuestions } from "./import-preview.ts";
import { identifiedSource } from "./source-input.ts";

const database = testDatabase();
let scope: TenantScope;
let id: string;
const NO_LABELS = { audience: undefined, contentCategory: undefined, path: undefined };

beforeEach(async () => {
  scope = await newCompany();
  const [known] = await addAndIngest(
    scope,
    question("refunds", "How long does a refund take?", {
      alternatives: ["When do I get my money back?"],
      path: ["Billing"],
    }),
    question("plan-5", "What does the plan Mobile 5 cost?"),
  );
  id = known?.id ?? "";
});

function question(sourceId: string, text: string, more: object = {}) {
  return { sourceType: "qa", sourceId, question: text, answer: "Ten days.", ...more };
}

const answered = async (text: string, sourceId?: string) =>
  (await findAnswered(scope, CLI_ACTOR, { question: text, sourceId }))?.sourceId;

const written = (text: string) => ({
  ...NO_LABELS,
  ...{ question: text, answer: "Eight days.", alternatives: undefined, sourceId: undefined },
});

test.each([
  ["how long  does a REFUND take", "refunds"],
  ["How long does a\u00a0refund take\u202f?", "refunds"],
  ["How long does the refund take?", "refunds"],
  ["When do I get my money back", "refunds"],
  ["What does the plan Mobile 10 cost?", undefined],
  ["How do I return the router?", undefined],
])("%s is answered in %s", async (text, sourceId) => {
  expect(await answered(text)).toBe(sourceId);
});

test("only repeated questions are found while the bundled model fails", async () => {
  const embedTexts = () => Promise.reject(new LocalModelError("its thread ended"));
  RUNNING_MODELS.set({ ...createModels(env()), embedTexts });
  try {
    expect(await answered("how long  does a REFUND take")).toBe("refunds");
    expect(await answered("How long does the refund take?")).toBeUndefined();
  } finally {
    RUNNING_MODELS.set();
  }
});

test("a source does not repeat itself, and a deleted source answers nothing", async () => {
  expect(await answered("How long does a refund take?", "refunds")).toBeUndefined();
  await deleteSource(scope, CLI_ACTOR, id);
  expect(await answered("How long does a refund take?")).toBeUndefined();
});

test("a source that is still processing is noticed", async () => {
  await addQuestion(scope, CLI_ACTOR, { ...written("Where is the shop?"), sourceId: "shop" });
  expect(await answered("Where is the shop")).toBe("shop");
});

test("the form adds nothing at first, then both or a new version of the existing answer", async () => {
  const given = written("how long does a refund take");
  expect(await addQuestion(scope, CLI_ACTOR, given)).toMatchObject({ answeredIn: { id, answer: "Ten days." } });
  const before = await listSources(scope, CLI_ACTOR);
  const { id: versionId } = await getContent(scope, CLI_ACTOR, id);
  const other = { ...written("How long will a refund take?"), id, versionId };
  await mergeQuestion(scope, CLI_ACTOR, other);
  expect((await getContent(scope, CLI_ACTOR, id)).body).toMatchObject({
    question: "How long does a refund take?",
    answer: "Eight days.",
    alternatives: ["When do I get my money back?", "How long will a refund take?"],
  });
  expect(await mergeQuestion(scope, CLI_ACTOR, other)).toMatchObject({ unchanged: true });
  const late = mergeQuestion(scope, CLI_ACTOR, { ...other, answer: "Nine days." });
  await expect(late).rejects.toMatchObject({
    error: "PreconditionFailed",
    message: "The existing answer has changed. Cancel, then try again to see it.",
  });
  expect(await listSources(scope, CLI_ACTOR)).toHaveLength(before.length);
  expect(await addQuestion(scope, CLI_ACTOR, { ...given, keepBoth: true })).toHaveProperty("added");
});

test("a phrasing for which the source has no room is refused, and the answer stays", async () => {
  const alternatives = Array.from({ length: 49 }, (_, number) => `Phrasing ${number}?`);
  const shown = async () => ({ id, versionId: (await getContent(scope, CLI_ACTOR, id)).id });
  await mergeQuestion(scope, CLI_ACTOR, {
    ...written("How long does a refund take?"),
    alternatives,
    ...(await shown()),
  });
  const one = { ...written("How long will a refund take?"), answer: "Nine days.", ...(await shown()) };
  await expect(mergeQuestion(scope, CLI_ACTOR, one)).rejects.toMatchObject({ error: "Conflict" });
  expect((await getContent(scope, CLI_ACTOR, id)).body).toMatchObject({ answer: "Eight days." });
});

test("an edited question is compared with the others too", async () => {
  const [other] = await addAndIngest(scope, question("opening", "When do you open?"));
  const { id: versionId } = await getContent(scope, CLI_ACTOR, other?.id ?? "");
  const content = {
    kind: "qa" as const,
    question: "how long does a refund take",
    answer: "Ten days.",
    alternatives: [],
  };
  const edit = { id: other?.id ?? "", versionId, content };
  expect(await editQuestion(scope, CLI_ACTOR, edit)).toMatchObject({ answeredIn: { id } });
  expect((await getContent(scope, CLI_ACTOR, edit.id)).id).toBe(versionId);
  const same = { ...edit, content: { ...content, question: "When do you open?", answer: "At nine." } };
  expect(await editQuestion(scope, CLI_ACTOR, same)).toHaveProperty("added");
  const { id: newest } = await getContent(scope, CLI_ACTOR, edit.id);
  const both = await editQuestion(scope, CLI_ACTOR, { ...edit, versionId: newest, keepBoth: true });
  expect(both).toMatchObject({ added: { sourceId: "opening" } });
});

test("a file shows what is answered, and merges or keeps both", async () => {
  const file = {
    fileName: "faq.csv",
    bytes: Buffer.from("question,answer\nHow long does a refund take,Six days.\nWho?,Us.\n"),
  };
  const preview = await previewQuestions(scope, CLI_ACTOR, file, NO_LABELS);
  expect(preview.answered).toBe(1);
  expect(preview.rows[0]).toMatchObject({ state: "new", answeredIn: { sourceId: "refunds" } });
  expect(preview.rows[1]).toMatchObject({ state: "new", answeredIn: null });

  const merged = await importQuestions(scope, CLI_ACTOR, file, NO_LABELS, { merge: true });
  expect([merged.merged, merged.accepted[0]?.sourceId]).toEqual([1, "refunds"]);
  await work(scope);
  expect(await getContent(scope, CLI_ACTOR, id)).toMatchObject({ body: { answer: "Six days." } });
  expect((await importQuestions(scope, CLI_ACTOR, file, NO_LABELS)).merged).toBe(0);
});

test("a file replaces an answer only under labels that the row has, and by the last row that asks the same", async () => {
  const rows = [
    "How long does a refund take?,Ask Rita.,agents,,internal",
    "How long does a refund take?,Seven days.,,faq,general",
    "how long does a refund take,Six days.,,,first",
    "How long does a refund take!,Five days.,,,second",
  ];
  const text = ["question,answer,audience,contentCategory,sourceId", ...rows].join("\n");
  const file = { fileName: "faq.csv", bytes: Buffer.from(text) };
  const preview = await previewQuestions(scope, CLI_ACTOR, file, NO_LABELS);
  expect(preview.rows.map((row) => row.state === "new" && row.answeredIn?.keptBecause)).toEqual([
    "that answer has the audience “ai_agent, copilot”",
    "that answer has the category “general”",
    "row 5 replaces that answer",
    null,
  ]);
  expect(preview.answered).toBe(1);

  const { merged, accepted } = await importQuestions(scope, CLI_ACTOR, file, NO_LABELS, { merge: true });
  expect([merged, accepted.map(({ sourceId }) => sourceId)]).toEqual([1, ["internal", "general", "first", "refunds"]]);
  expect(await getContent(scope, CLI_ACTOR, id)).toMatchObject({ body: { answer: "Five days." } });
});

test("a row is added beside an answer that the file has too", async () => {
  const rows = ["How long does a refund take?,Ten days.,refunds", "how long does a refund take,Six days.,bot"];
  const file = { fileName: "faq.csv", bytes: Buffer.from(["question,answer,sourceId", ...rows].join("\n")) };
  const { rows: shown, answered } = await previewQuestions(scope, CLI_ACTOR, file, NO_LABELS);
  expect(answered).toBe(0);
  expect(shown[1]).toMatchObject({ answeredIn: { keptBecause: "row 2 updates that source" } });
});

test("the API keeps both and warns once, about sources that the key may see", async () => {
  const key = (path: string[]): KeyActor => ({
    ...{ type: "api_key", id: crypto.randomUUID(), name: "Bot", companyId: scope.companyId, scopes: ["manage"] },
    policy: { path },
  });
  const put = (sourceId: string) =>
    identifiedSource.parse(question(sourceId, "How long does a refund take?", { path: ["Billing"] }));
  const first = await putSource(scope, key(["Billing"]), put("other"));
  expect(first.alreadyAnsweredIn).toEqual({ id, sourceId: "refunds" });
  expect(await putSource(scope, key(["Billing"]), put("other"))).not.toHaveProperty("alreadyAnsweredIn");
  const hidden = identifiedSource.parse(question("third", "How long does a refund take?", { path: ["Other"] }));
  expect(await putSource(scope, key(["Other"]), hidden)).not.toHaveProperty("alreadyAnsweredIn");
  const { sources } = batchInput.parse({ sources: [put("fourth"), question("fifth", "Something else?")] });
  const batch = await putBatch(scope, CLI_ACTOR, sources);
  expect(batch.accepted.map((one) => one.alreadyAnsweredIn?.sourceId)).toEqual(["refunds", undefined]);
});

test("a question of an earlier release is found after the migration", async () => {
  const migration = readFileSync("drizzle/migrations/0024_question_key.sql", "utf8");
  const update = migration.split("--> statement-breakpoint").find((statement) => statement.includes("UPDATE")) ?? "";
  await database.db.execute(sql`update ragstone.source_versions set question_key = null`);
  const found = () => findRepeated(scope, CLI_ACTOR, [{ question: " how long does a  refund take" }]);
  expect((await found()).size).toBe(0);
  await database.db.execute(sql.raw(update));
  expect((await found()).get(0)).toMatchObject({ sourceId: "refunds" });
});

test("a batch is not compared with every question while the database has no statistics yet", async () => {
  const { companyId, transaction } = scope;
  const COUNT = 5_000;
  const inserting = await timed(() =>
    transaction(async (tx) => {
      await tx.execute(sql`insert into ragstone.sources (company_id, source_id, latest_version_id)
        select ${companyId}, 's' || i, gen_random_uuid() from generate_series(1, ${COUNT}::int) i`);
      await tx.execute(sql`insert into ragstone.source_versions
        (company_id, id, source_id, number, state, source_type, title, question_key, audience, body, content_hash)
        select company_id, latest_version_id, id, 1, 'current', 'qa', 'What is ' || source_id,
          ${questionKey(sql`'What is ' || source_id`)}, '{staff}',
          jsonb_build_object('kind', 'qa', 'question', 'What is ' || source_id, 'answer', 'A', 'alternatives', '[]'::jsonb), ''
        from ragstone.sources where company_id = ${companyId} and current_version_id is null`);
    }),
  );
  const asked = Array.from({ length: 200 }, (_, i) => ({ question: `what is S${i}?`, sourceId: `other-${i}` }));
  const comparing = await timed(async () => expect((await findRepeated(scope, CLI_ACTOR, asked)).size).toBe(199));
  expect(comparing).toBeLessThan(inserting);
});

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

test("the API merges a new question into the source that has it, unless more audiences would see the answer", async () => {
  const put = (sourceId: string, answer: string, more: object = {}) =>
    identifiedSource.parse({ ...question(sourceId, "how long does a refund take", more), answer });
  const first = await putSource(scope, CLI_ACTOR, put("bot-1", "Six days."), { merge: true });
  expect(first).toMatchObject({ id, sourceId: "refunds", mergedFrom: "bot-1", unchanged: false });
  const again = await putSource(scope, CLI_ACTOR, put("bot-1", "Six days."), { merge: true });
  expect(again).toMatchObject({ id, mergedFrom: "bot-1", unchanged: true });
  expect((await getContent(scope, CLI_ACTOR, id)).body).toMatchObject({
    question: "How long does a refund take?",
    answer: "Six days.",
  });

  const internal = put("internal", "Ask Rita.", { audience: ["agents"] });
  const kept = await putSource(scope, CLI_ACTOR, internal, { merge: true });
  expect(kept).toMatchObject({ sourceId: "internal", alreadyAnsweredIn: { id } });
  expect(kept).not.toHaveProperty("mergedFrom");

  const { sources } = batchInput.parse({ sources: [put("bot-2", "Five days."), put("bot-3", "Four days.")] });
  const batch = await putBatch(scope, CLI_ACTOR, sources, { merge: true });
  expect(batch.accepted).toMatchObject([{ position: 1, id, mergedFrom: "bot-3" }]);
  expect(batch.failed).toMatchObject([{ position: 0, sourceId: "bot-2" }]);
  expect((await getContent(scope, CLI_ACTOR, id)).body).toMatchObject({ answer: "Four days." });
});
