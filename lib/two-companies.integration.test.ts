import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import * as apiKeys from "./api-keys/service.ts";
import { browseAudit } from "./audit/browse.ts";
import { type Actor, SYSTEM_ACTOR } from "./audit/record.ts";
import * as companies from "./companies/service.ts";
import type { TenantScope } from "./db/tenant.ts";
import { AppError } from "./errors.ts";
import { addFiles, addSources } from "./knowledge/add.ts";
import { browseSources } from "./knowledge/browse.ts";
import { browseQuery } from "./knowledge/browse-query.ts";
import { exportSources, importSources } from "./knowledge/export.ts";
import { importQuestions, previewQuestions } from "./knowledge/import-preview.ts";
import { listLabels } from "./knowledge/labels.ts";
import { listSources } from "./knowledge/list.ts";
import * as many from "./knowledge/many.ts";
import * as progress from "./knowledge/progress.ts";
import * as knowledge from "./knowledge/service.ts";
import * as sourcePage from "./knowledge/source-page.ts";
import * as links from "./members/links.ts";
import * as members from "./members/service.ts";
import { listRuns } from "./playground/history.ts";
import { runInPlayground } from "./playground/run.ts";
import { whyNot } from "./playground/why-not.ts";
import { acceptCorpus, evaluate } from "./retrieval/evaluate.ts";
import { retrieveRequest } from "./retrieval/schema.ts";
import { retrieve } from "./retrieval/service.ts";
import * as subscriptions from "./subscriptions/service.ts";
import { testDatabase } from "./testing/database.ts";
import { ask, document, learn, newCompany, work } from "./testing/knowledge.ts";
import { firstSteps } from "./usage/first-steps.ts";
import * as usageLog from "./usage/log.ts";
import { logAsCsv } from "./usage/log-csv.ts";
import { flushQueryLog } from "./usage/record.ts";
import { listReports, reportAnswer, resolveReport } from "./usage/report.ts";
import * as usage from "./usage/service.ts";
import { usageOf } from "./usage/statistics.ts";

const database = testDatabase();

/** A word that stands in everything of the other company, and nowhere else. */
const SECRET = "zanzibarite";

interface Company {
  scope: TenantScope;
  sourceId: string;
  versionId: string;
  chunkId: string;
  keyId: string;
  userId: string;
  invitationId: string;
  requestId: string;
  reportId: string;
}

/** An id that says nothing: an error may repeat it. */
const paperOf = (word: string) => `paper-${word.length}`;

async function companyWithEverything(word: string): Promise<Company> {
  const scope = await newCompany(`Company ${word}`);
  await companies.updateCompanySettings(scope, SYSTEM_ACTOR, { defaultAudience: [word] });
  const bytes = Buffer.from(`# ${word}\n\nThe ${word} is a mineral.`);
  await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: `${word}.md`, bytes }]);
  const [accepted] = await learn(
    scope,
    document(paperOf(word), `What ${word} means.`, { title: word, audience: [word], path: [word] }),
  );
  const key = await apiKeys.createKey(scope, SYSTEM_ACTOR, { name: word });
  const admin = { name: word, role: "admin" as const, password: `granite ${word}` };
  const member = await members.createMember(scope, SYSTEM_ACTOR, { ...admin, email: `admin@${word}.example` });
  await members.createMember(scope, SYSTEM_ACTOR, { ...admin, email: `second@${word}.example` });
  await links.invite(scope, SYSTEM_ACTOR, { email: `guest@${word}.example`, role: "support" });
  const [invitation] = await links.listInvitations(scope, SYSTEM_ACTOR);
  const requestId = crypto.randomUUID();
  const { response } = await ask(scope, { queryText: `what is ${word}?` }, { requestId, apiKeyId: key.id });
  await runInPlayground(scope, { requestId: crypto.randomUUID(), userId: member.id, request, keyId: key.id });
  await flushQueryLog();
  const reporter = { type: "user" as const, id: member.id, name: word };
  await reportAnswer(scope, reporter, { requestId, question: word, answer: word, note: word });
  const { reports } = await listReports(scope);
  return {
    scope,
    sourceId: (await knowledge.sourceByExternalId(scope, paperOf(word))).id,
    versionId: accepted?.versionId ?? "",
    chunkId: response.results[0]?.id ?? "",
    keyId: key.id,
    userId: member.id,
    invitationId: invitation?.id ?? "",
    requestId,
    reportId: reports[0]?.id ?? "",
  };
}

type Call = (scope: TenantScope, theirs: Company) => Promise<unknown>;

const actor: Actor = SYSTEM_ACTOR;
const month = { start: new Date("2000-01-01"), end: new Date("2100-01-01") };
const csv = { fileName: "faq.csv", bytes: Buffer.from("question,answer\nWho?,Us.\n") };
const noLabels = { audience: undefined, contentCategory: undefined, path: undefined };
const corpus = { documents: [{ id: "d", title: "D", text: "A document." }], queries: [], qrels: new Map() };
const everyRequest = { days: 90, source: null, outcome: null, search: "" };
const request = retrieveRequest.parse({ queryText: "what is this mineral?", limit: 100 });

/** Every service method of a company, called for ours with whatever names something of theirs. */
const calls: Record<string, Call> = {
  createKey: (scope) => apiKeys.createKey(scope, actor, { name: "Ours" }),
  listKeys: (scope) => apiKeys.listKeys(scope),
  getKey: (scope, { keyId }) => apiKeys.getKey(scope, keyId),
  renameKey: (scope, { keyId }) => apiKeys.renameKey(scope, actor, { id: keyId, name: "stolen" }),
  rotateKey: (scope, { keyId }) => apiKeys.rotateKey(scope, actor, { id: keyId, overlap: "now" }),
  revokeKey: (scope, { keyId }) => apiKeys.revokeKey(scope, actor, keyId),
  getCompany: (scope) => companies.getCompany(scope),
  renameCompany: (scope) => companies.renameCompany(scope, actor, { name: "Ours" }),
  updateCompanySettings: (scope) => companies.updateCompanySettings(scope, actor, { hashQueries: false }),
  addFiles: (scope) => addFiles(scope, actor, [{ sourceId: "own.md", bytes: Buffer.from("Our own text.") }]),
  addSources: (scope) => addSources(scope, actor, []),
  browseSources: (scope) => browseSources(scope, browseQuery.parse({ search: SECRET })),
  exportSources: (scope) => linesOf(scope),
  importSources: async (scope, { scope: other }) => {
    const lines = (await linesOf(other)).map((line) => line.replaceAll(SECRET, "copied"));
    return importSources(scope, actor, async function* () {
      yield Buffer.from(lines.join("\n"));
    });
  },
  importQuestions: (scope) => importQuestions(scope, actor, csv, noLabels),
  previewQuestions: (scope) => previewQuestions(scope, csv, noLabels),
  listLabels: (scope) => listLabels(scope),
  listSources: (scope) => listSources(scope),
  deleteSource: (scope, { sourceId }) => knowledge.deleteSource(scope, actor, sourceId),
  restoreSource: (scope, { sourceId }) => knowledge.restoreSource(scope, actor, sourceId),
  reindexSource: (scope, { sourceId }) => knowledge.reindexSource(scope, actor, sourceId),
  relabelSource: (scope, { sourceId }) => knowledge.relabelSource(scope, actor, sourceId, { path: ["stolen"] }),
  sourceByExternalId: (scope) => knowledge.sourceByExternalId(scope, paperOf(SECRET)),
  deleteSources: (scope, { sourceId }) => many.deleteSources(scope, actor, [sourceId]),
  restoreSources: (scope, { sourceId }) => many.restoreSources(scope, actor, [sourceId]),
  reindexSources: (scope, { sourceId }) => many.reindexSources(scope, actor, [sourceId]),
  relabelSources: (scope, { sourceId }) => many.relabelSources(scope, actor, [sourceId], { path: ["stolen"] }),
  waitingVersions: (scope, { versionId }) => progress.waitingVersions(scope, [versionId]),
  progressOf: (scope, { versionId }) => progress.progressOf(scope, [versionId]),
  outcomeOf: (scope, { versionId }) => progress.outcomeOf(scope, [versionId]),
  getSource: (scope, { sourceId }) => sourcePage.getSource(scope, sourceId, { page: 1, chunkId: null }),
  sourceOfChunk: (scope, { chunkId }) => sourcePage.sourceOfChunk(scope, chunkId),
  originalOf: (scope, { sourceId }) => sourcePage.originalOf(scope, sourceId),
  listMembers: (scope) => members.listMembers(scope, actor),
  createMember: (scope) =>
    members.createMember(scope, actor, {
      email: "new@ours.example",
      name: "New",
      role: "admin",
      password: "marl slate 1",
    }),
  changeRole: (scope, { userId }) => members.changeRole(scope, actor, { userId, role: "support" }),
  removeMember: (scope, { userId }) => members.removeMember(scope, actor, userId),
  listInvitations: (scope) => links.listInvitations(scope, actor),
  invite: (scope) => links.invite(scope, actor, { email: "guest@ours.example", role: "support" }),
  withdrawInvitation: (scope, { invitationId }) => links.withdrawInvitation(scope, actor, invitationId),
  createResetLink: (scope, { userId }) => links.createResetLink(scope, actor, userId),
  retrieve: (scope) => retrieve(scope, request, { requestId: crypto.randomUUID(), origin: "api" }),
  acceptCorpus: (scope) => acceptCorpus(scope, actor, corpus),
  evaluate: (scope) => evaluate(scope, corpus, { signal: new AbortController().signal, onProgress: () => undefined }),
  getSubscription: (scope) => subscriptions.getSubscription(scope),
  listSubscriptionHistory: (scope) => subscriptions.listSubscriptionHistory(scope),
  setSubscription: (scope) => subscriptions.setSubscription(scope, actor, { status: "ACTIVE" }),
  cancelSubscription: (scope) => subscriptions.cancelSubscription(scope, actor, { at: "now" }),
  previewResume: (scope) => subscriptions.previewResume(scope),
  resumeSubscription: (scope) => subscriptions.resumeSubscription(scope, actor),
  changePlan: (scope) => subscriptions.changePlan(scope, actor, { plan: "scale" }),
  reportAnswer: (scope, { requestId }) =>
    reportAnswer(scope, { ...actor, id: null }, { requestId, question: "Q", answer: "A", note: "N" }),
  countServed: (scope) => usage.countServed(scope, month),
  listKeyCalls: (scope, { keyId }) => usage.listKeyCalls(scope, keyId),
  usageOf: (scope) => usageOf(scope, { days: 30, source: null }),
  listRequests: (scope, { requestId }) => usageLog.listRequests(scope, { ...everyRequest, search: requestId }, 1),
  getRequest: (scope, { requestId }) => usageLog.getRequest(scope, requestId),
  logAsCsv: (scope) => textOf(logAsCsv(scope, everyRequest)),
  listReports: (scope) => listReports(scope),
  resolveReport: (scope, { reportId }) => resolveReport(scope, actor, reportId),
  firstSteps: (scope) => firstSteps(scope),
  browseAudit: (scope) => browseAudit(scope, { actor: null, action: null, from: null, to: null, page: 1 }),
  listRuns: (scope, { userId }) => listRuns(scope, userId),
  runInPlayground: (scope, { keyId, userId }) =>
    runInPlayground(scope, { requestId: crypto.randomUUID(), userId, request, keyId }),
  whyNot: (scope, { userId }) => whyNot(scope, { userId, request, keyId: null, name: paperOf(SECRET) }),
  deleteCompany: (scope) => companies.deleteCompany(scope),
};

async function linesOf(scope: TenantScope): Promise<string[]> {
  const lines: string[] = [];
  for await (const { line } of exportSources(scope)) lines.push(line);
  return lines;
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}

/** What pages, routes and the command line call with a company's scope. */
function serviceMethods(): string[] {
  const read = (...folders: string[]) =>
    folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$|^testing\//.test(name))
        .map((name) => readFileSync(join(folder, name), "utf8")),
    );
  const callers = read("app", "scripts").join("\n");
  return read("lib")
    .flatMap((text) => [
      ...text.matchAll(/^export (?:async )?function\*? (\w+)\(\s*(?:scope: TenantScope|\{[^}]*\}: TenantScope)/gm),
    ])
    .map(([, name = ""]) => name)
    .filter((name) => new RegExp(`\\b${name}\\b`).test(callers));
}

/** Every row that a company has in any table. */
async function everythingOf({ scope: { companyId } }: Company) {
  const tables = await database.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
    where c.relnamespace = 'ragstone'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`);
  const contents: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await database.db.execute<{ row: string }>(sql`
      select t::text as row from ragstone.${sql.identifier(name)} t where company_id = ${companyId} order by 1`);
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}

describe("two companies", () => {
  let ours: Company;
  let theirs: Company;
  let before: Awaited<ReturnType<typeof everythingOf>>;
  beforeAll(async () => {
    ours = await companyWithEverything("feldspar");
    theirs = await companyWithEverything(SECRET);
    await work(theirs.scope);
    before = await everythingOf(theirs);
  });

  it("have a call here for every service method", () => {
    expect(Object.keys(calls)).toEqual(expect.arrayContaining(serviceMethods()));
    expect(serviceMethods().length).toBeGreaterThan(40);
  });

  it.each(Object.entries(calls))("%s shows ours nothing of theirs and changes nothing there", async (_name, call) => {
    const outcome = await call(ours.scope, theirs).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError);
    const shown = JSON.stringify(outcome instanceof AppError ? outcome.message : outcome) ?? "";
    expect(shown).not.toContain(SECRET);
    await flushQueryLog();
    expect(await everythingOf(theirs)).toEqual(before);
  });
});
