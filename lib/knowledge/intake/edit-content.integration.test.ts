import { beforeEach, expect, test } from "vitest";
import { type Actor, SYSTEM_ACTOR } from "../../audit/record.ts";
import { deleteCompany } from "../../companies/service.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { objectStore } from "../../storage/index.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, ask, document, newCompany, work } from "../../testing/knowledge.ts";
import { getSource } from "../browse/source-page.ts";
import { deleteSource } from "../service.ts";
import { VERSIONS_RESTORABLE } from "../values.ts";
import { addFiles, addSources } from "./add.ts";
import { editContent, getContent, getVersion, restoreVersion } from "./edit-content.ts";
import { sourceInput } from "./source-input.ts";

testDatabase();
let scope: TenantScope;
beforeEach(async () => {
  scope = await newCompany();
});

const QUESTION = "How much is a visit?";

async function learnAnswer(answer: string): Promise<string> {
  const source = { sourceType: "qa", sourceId: "visit", question: QUESTION, answer, audience: ["bot"] };
  const [accepted] = await addAndIngest(scope, source);
  return accepted?.id ?? "";
}

async function answerTo(): Promise<string | undefined> {
  return (await ask(scope, { queryText: QUESTION })).response.results[0]?.payload.content;
}

async function edit(id: string, answer: string, actor: Actor = SYSTEM_ACTOR) {
  const { id: versionId } = await getContent(scope, SYSTEM_ACTOR, id);
  const content = { kind: "qa" as const, question: QUESTION, answer, alternatives: [] };
  await editContent(scope, actor, { id, versionId, content });
  await work(scope);
}

test("an edited answer is a new version with the same labels, and names who edited it", async () => {
  const id = await learnAnswer("14 euros.");
  const ada: Actor = { type: "user", id: crypto.randomUUID(), name: "Ada", companyId: scope.companyId, role: "admin" };
  await edit(id, "20 euros.", ada);
  expect(await answerTo()).toContain("20 euros");
  const { versions, audience } = await getSource(scope, SYSTEM_ACTOR, id, { page: 1, chunkId: null });
  expect(audience).toEqual(["bot"]);
  expect(versions).toMatchObject([
    { number: 2, state: "current", authorType: "user", authorName: "Ada" },
    { number: 1, state: "superseded", authorType: "system" },
  ]);
});

test("an edit of a version that was replaced in the meantime is refused", async () => {
  const id = await learnAnswer("14 euros.");
  const { id: versionId } = await getContent(scope, SYSTEM_ACTOR, id);
  await edit(id, "20 euros.");
  const content = { kind: "qa" as const, question: QUESTION, answer: "30 euros.", alternatives: [] };
  const late = editContent(scope, SYSTEM_ACTOR, { id, versionId, content });
  await expect(late).rejects.toMatchObject({ error: "PreconditionFailed" });
  expect(await answerTo()).toContain("20 euros");
});

test("a replaced version can be restored while it is among the newest", async () => {
  const id = await learnAnswer("1 euro.");
  for (let price = 2; price <= VERSIONS_RESTORABLE + 2; price++) await edit(id, `${price} euros.`);
  await expect(restoreVersion(scope, SYSTEM_ACTOR, id, 1)).rejects.toMatchObject({ error: "Conflict" });
  const { version, other } = await getVersion(scope, SYSTEM_ACTOR, id, 2);
  expect(version.body).toMatchObject({ answer: "2 euros." });
  expect(other?.body).toMatchObject({ answer: "5 euros." });
  await restoreVersion(scope, SYSTEM_ACTOR, id, 2);
  await work(scope);
  expect(await answerTo()).toContain("2 euros");
  await expect(restoreVersion(scope, SYSTEM_ACTOR, id, 99)).rejects.toMatchObject({ error: "NotFound" });
});

test("a version of a deleted source cannot be restored, and says that its source is deleted", async () => {
  const id = await learnAnswer("14 euros.");
  await edit(id, "20 euros.");
  expect((await getVersion(scope, SYSTEM_ACTOR, id, 1)).version.deletedAt).toBeNull();
  await deleteSource(scope, SYSTEM_ACTOR, id);
  expect((await getVersion(scope, SYSTEM_ACTOR, id, 1)).version.deletedAt).toBeInstanceOf(Date);
  await expect(restoreVersion(scope, SYSTEM_ACTOR, id, 1)).rejects.toMatchObject({ error: "NotFound" });
});

test("the file of a replaced version can be restored", async () => {
  let id = "";
  for (const price of [14, 20]) {
    const bytes = Buffer.from(`# Visits\n\n${QUESTION} A visit costs ${price} euros.`);
    [{ id } = { id }] = await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "visits.md", bytes }]);
    await work(scope);
  }
  await restoreVersion(scope, SYSTEM_ACTOR, id, 1);
  await work(scope);
  expect(await answerTo()).toContain("14 euros");
});

test("a version whose file is purged while it is restored is refused", async () => {
  let id = "";
  for (const price of [14, 20]) {
    const bytes = Buffer.from(`A visit costs ${price} euros.`);
    [{ id } = { id }] = await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "visits.md", bytes }]);
    await work(scope);
  }
  const { version } = await getVersion(scope, SYSTEM_ACTOR, id, 1);
  const purged: TenantScope = {
    ...scope,
    async changeContent(work) {
      if (version.body.kind === "file") await objectStore().delete(version.body.storageKey);
      return scope.changeContent(work);
    },
  };
  await expect(restoreVersion(purged, SYSTEM_ACTOR, id, 1)).rejects.toMatchObject({ error: "Conflict" });
  expect((await getContent(scope, SYSTEM_ACTOR, id)).number).toBe(2);
});

test("the content of a file cannot be edited", async () => {
  const [file] = await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "a.md", bytes: Buffer.from("# A") }]);
  await addAndIngest(scope, document("b", "text"));
  const id = file?.id ?? "";
  const { id: versionId } = await getContent(scope, SYSTEM_ACTOR, id);
  const content = { kind: "text" as const, title: "A", content: "B" };
  await expect(editContent(scope, SYSTEM_ACTOR, { id, versionId, content })).rejects.toMatchObject({
    error: "Conflict",
  });
});

test("a text is editable unless a form cannot send it", async () => {
  const texts = [document("short", "Short."), document("long", "Long. ".repeat(200_000))];
  const accepted = await addSources(scope, SYSTEM_ACTOR, sourceInput.array().parse(texts));
  const editable = accepted.map(async ({ id }) => getSource(scope, SYSTEM_ACTOR, id, { page: 1, chunkId: null }));
  expect((await Promise.all(editable)).map(({ isEditable }) => isEditable)).toEqual([true, false]);
  // the workers of other tests would read the long text
  await deleteCompany(scope, SYSTEM_ACTOR);
});
