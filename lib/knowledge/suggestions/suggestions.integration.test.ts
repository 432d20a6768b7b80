import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { browseAudit } from "../../audit/browse.ts";
import { type Actor, SYSTEM_ACTOR } from "../../audit/record.ts";
import { auditLog, jobs, queryLog, sources, suggestions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { createMember } from "../../members/service.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, ask, document, newCompany, work } from "../../testing/knowledge.ts";
import { countWaiting } from "../../usage/count-waiting.ts";
import { flushQueryLog } from "../../usage/record.ts";
import { addSources } from "../intake/add.ts";
import { editContent, getContent } from "../intake/edit-content.ts";
import { sourceInput } from "../intake/source-input.ts";
import { acceptSuggestion, declineSuggestion } from "./decide.ts";
import { listSuggestions, SUGGESTIONS_PER_PAGE } from "./list.ts";
import { suggestionInput } from "./schema.ts";
import { asVersion, suggestContent, withdrawSuggestion } from "./suggest.ts";

const { db } = testDatabase();
let scope: TenantScope;
let support: Actor;
let admin: Actor;
let sourceId: string;

beforeEach(async () => {
  scope = await newCompany();
  support = await member("Sam Support", "support");
  admin = await member("Ada Admin", "admin");
  const [added] = await addAndIngest(scope, document("visits", "A visit costs 14 euros."));
  sourceId = added?.id ?? "";
});

async function member(name: string, role: "admin" | "support"): Promise<Actor> {
  const input = { email: `${crypto.randomUUID()}@example.com`, name, role, password: "granite marl slate" };
  const { id } = await createMember(scope, SYSTEM_ACTOR, input);
  return { type: "user", id, name, companyId: scope.companyId, role };
}

const suggestText = (content: string) =>
  suggestContent(scope, support, {
    ...{ sourceId, note: "The price went up.", requestId: null },
    content: { kind: "text", title: "visits", content },
  });

const suggestQuestion = (question: string, answer: string) =>
  suggestContent(scope, support, {
    ...{ sourceId: null, note: "", requestId: null },
    content: { kind: "qa", question, answer, alternatives: [] },
  });

const texts = async (queryText: string) =>
  (await ask(scope, { queryText })).response.results.map(({ payload }) => payload.content).join("\n");

test("a suggestion is not served until an admin accepts it, and the audit log names both", async () => {
  const id = await suggestText("A visit costs 20 euros.");
  await work(scope);
  expect(await texts("What does a visit cost?")).not.toContain("20 euros");
  const { rows } = await listSuggestions(scope, support);
  expect(rows).toMatchObject([
    { id, memberName: "Sam Support", current: { body: { content: "A visit costs 14 euros." } } },
  ]);
  expect((await countWaiting(scope, support)).suggestions).toBe(1);

  const versionId = rows[0]?.current?.versionId ?? null;
  expect(await acceptSuggestion(scope, admin, { id, versionId })).toEqual({ id: sourceId });
  await work(scope);
  expect(await texts("What does a visit cost?")).toContain("20 euros");
  expect((await countWaiting(scope, support)).suggestions).toBe(0);
  const every = { actor: null, action: "suggestion.accepted", from: null, to: null, page: 1 };
  expect((await browseAudit(scope, admin, every)).rows).toMatchObject([
    { actorName: "Ada Admin", targetId: sourceId, detail: { suggestedBy: "Sam Support" } },
  ]);
  await expect(acceptSuggestion(scope, admin, { id, versionId })).rejects.toMatchObject({ error: "Conflict" });
});

test("a very long text is not read to be compared, and cannot be suggested", async () => {
  await suggestText("A visit costs 20 euros.");
  const long = "A visit costs 14 euros. ".repeat(40_000);
  await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(document("visits", long))]);
  expect((await listSuggestions(scope, support)).rows).toMatchObject([{ current: { title: "visits", body: null } }]);
  const content = { kind: "text", title: "visits", content: long };
  const { error } = suggestionInput.safeParse({ sourceId, content, note: "", requestId: null });
  expect(error?.issues).toMatchObject([{ path: ["content", "content"], message: /Ask an admin/ }]);
});

test("later suggestions are on the next pages", async () => {
  const questions = Array.from({ length: SUGGESTIONS_PER_PAGE + 2 }, (_, index) => `Question ${index}?`);
  for (const question of questions) await suggestQuestion(question, "So.");
  const first = await listSuggestions(scope, admin);
  const second = await listSuggestions(scope, admin, { page: 9 });
  expect(second).toMatchObject({ total: questions.length, page: 2 });
  expect([...first.rows, ...second.rows].map(({ content }) => asVersion(content).title)).toEqual(questions);
});

test("a suggestion names its request until the request leaves the log", async () => {
  const requestId = crypto.randomUUID();
  await ask(scope, { queryText: "What does a visit cost?" }, { requestId });
  await flushQueryLog();
  await suggestContent(scope, support, {
    ...{ sourceId: null, note: "", requestId },
    content: { kind: "qa", question: "What does a visit cost?", answer: "14 euros.", alternatives: [] },
  });
  expect((await listSuggestions(scope, admin)).rows).toMatchObject([{ requestId }]);
  await db.delete(queryLog).where(eq(queryLog.id, requestId));
  expect((await listSuggestions(scope, admin)).rows).toMatchObject([{ requestId: null }]);
});

test("a suggestion for a text that has changed since is compared again first", async () => {
  const { id: versionId } = await getContent(scope, admin, sourceId);
  const id = await suggestText("A visit costs 20 euros.");
  await addAndIngest(scope, document("visits", "A visit costs 16 euros."));
  const late = acceptSuggestion(scope, admin, { id, versionId });
  await expect(late).rejects.toMatchObject({ error: "PreconditionFailed" });
  expect((await countWaiting(scope, admin)).suggestions).toBe(1);
});

test("a new question is added once, or merged with the source that answers it", async () => {
  const first = await suggestQuestion("Where is the shop?", "In the old mill.");
  const outcome = await acceptSuggestion(scope, admin, { id: first, versionId: null });
  const added = "id" in outcome ? outcome.id : "";
  await work(scope);
  const id = await suggestQuestion("where is the shop", "At the station.");
  const answered = await acceptSuggestion(scope, admin, { id, versionId: null });
  expect(answered).toMatchObject({ answeredIn: { id: added, answer: "In the old mill." } });
  expect((await countWaiting(scope, admin)).suggestions).toBe(1);
  const replace = (versionId: string) =>
    acceptSuggestion(scope, admin, { id, versionId: null, mergeInto: { id: added, versionId } });
  const { id: shown } = await getContent(scope, admin, added);
  const content = { kind: "qa" as const, question: "Where is the shop?", answer: "In the new mill.", alternatives: [] };
  await editContent(scope, admin, { id: added, versionId: shown, content });
  await expect(replace(shown)).rejects.toMatchObject({ error: "PreconditionFailed" });
  expect((await getContent(scope, admin, added)).body).toMatchObject({ answer: "In the new mill." });
  expect(await replace((await getContent(scope, admin, added)).id)).toEqual({ id: added });
  expect((await getContent(scope, admin, added)).body).toMatchObject({ answer: "At the station." });
});

test("a declined suggestion keeps its reason, and the audit log none of its text", async () => {
  const id = await suggestQuestion("Is Zoltan there?", "Zoltan is there.");
  await declineSuggestion(scope, admin, { id, reason: "That is private." });
  expect((await listSuggestions(scope, support, { decided: true })).rows).toMatchObject([
    { decision: "declined", decidedBy: "Ada Admin", reason: "That is private." },
  ]);
  const events = await db.select().from(auditLog).where(eq(auditLog.companyId, scope.companyId));
  expect(JSON.stringify(events)).not.toContain("Zoltan");
});

const meanwhile: [string, (id: string) => Promise<void>][] = [
  ["declined", (id) => declineSuggestion(scope, admin, { id, reason: "No." })],
  ["withdrawn", (id) => withdrawSuggestion(scope, support, id)],
];

test.each(meanwhile)("a suggestion that is %s while another admin accepts it changes nothing", async (_name, end) => {
  const { id: versionId } = await getContent(scope, admin, sourceId);
  for (const id of [await suggestText("A visit costs 20 euros."), await suggestQuestion("Where?", "There.")]) {
    const [accepted, ended] = await Promise.allSettled([acceptSuggestion(scope, admin, { id, versionId }), end(id)]);
    expect([accepted.status, ended.status]).toEqual(["rejected", "fulfilled"]);
  }
  expect((await getContent(scope, admin, sourceId)).id).toBe(versionId);
  expect(await db.$count(sources, eq(sources.companyId, scope.companyId))).toBe(1);
});

test("only its author withdraws a suggestion, while it is open", async () => {
  const id = await suggestText("A visit costs 20 euros.");
  await expect(withdrawSuggestion(scope, admin, id)).rejects.toMatchObject({ error: "NotFound" });
  await withdrawSuggestion(scope, support, id);
  expect((await countWaiting(scope, admin)).suggestions).toBe(0);
  await expect(withdrawSuggestion(scope, support, id)).rejects.toMatchObject({ error: "NotFound" });
});

test("an unchanged text and another kind of content are refused", async () => {
  await expect(suggestText("A visit costs 14 euros.")).rejects.toMatchObject({ error: "Conflict" });
  const content = { kind: "qa" as const, question: "Q", answer: "A", alternatives: [] };
  const asked = suggestContent(scope, support, { sourceId, content, note: "", requestId: null });
  await expect(asked).rejects.toMatchObject({ error: "Conflict" });
});

test("decided suggestions expire with the requests, and all of a source with the source", async () => {
  const declined = await suggestQuestion("Where?", "There.");
  await declineSuggestion(scope, admin, { id: declined, reason: "No." });
  await suggestText("A visit costs 20 euros.");
  await db.update(suggestions).set({ decidedAt: sql`now() - interval '40 days'` }).where(eq(suggestions.id, declined));
  await db.execute(sql`update ragstone.sources set deleted_at = now() - interval '25 hours' where id = ${sourceId}`);
  const { companyId } = scope;
  await db.insert(jobs).values([
    { companyId, kind: "maintain" },
    { companyId, kind: "purge", subjectId: sourceId },
  ]);
  await work(scope);
  expect(await db.$count(suggestions, eq(suggestions.companyId, companyId))).toBe(0);
});
