import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as apiKeys from "../api-keys/service.ts";
import { browseAudit } from "../audit/browse.ts";
import type { Actor } from "../audit/record.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import * as companies from "../companies/service.ts";
import { arrivalOf } from "../connect/arrival.ts";
import type { TenantScope } from "../db/tenant.ts";
import { askForAnswers } from "../evaluation/ask-answers.ts";
import { acceptCorpus, evaluate } from "../evaluation/evaluate.ts";
import { browseSources } from "../knowledge/browse/browse.ts";
import { browseQuery } from "../knowledge/browse/browse-query.ts";
import { describeKnowledge } from "../knowledge/browse/describe-knowledge.ts";
import { listSources } from "../knowledge/browse/list.ts";
import { listLabels } from "../knowledge/browse/list-labels.ts";
import { listedSource, pageSources, rowIdsOf, summarizeKnowledge } from "../knowledge/browse/page-sources.ts";
import { readAround } from "../knowledge/browse/read-around.ts";
import * as sourcePage from "../knowledge/browse/source-page.ts";
import { exportSources, importSources } from "../knowledge/export.ts";
import * as progress from "../knowledge/ingest/progress.ts";
import { addFiles, addSources } from "../knowledge/intake/add.ts";
import { importQuestions, previewQuestions } from "../knowledge/intake/import-preview.ts";
import { findRefusedLabels } from "../knowledge/intake/refuse-labels.ts";
import { findGained, refuseWidening } from "../knowledge/intake/refuse-widening.ts";
import * as relabel from "../knowledge/intake/relabel.ts";
import { identifiedSource } from "../knowledge/intake/source-input.ts";
import { deleteManaged } from "../knowledge/manage/delete-many.ts";
import { diffSources } from "../knowledge/manage/diff.ts";
import { followSource } from "../knowledge/manage/follow.ts";
import { getManaged, listManaged } from "../knowledge/manage/list.ts";
import * as put from "../knowledge/manage/put.ts";
import { textOfSource } from "../knowledge/manage/read.ts";
import { batchInput, listQuery } from "../knowledge/manage/schema.ts";
import * as knowledge from "../knowledge/service.ts";
import * as links from "../members/links.ts";
import * as members from "../members/service.ts";
import { listRuns } from "../playground/history.ts";
import { runInPlayground } from "../playground/run.ts";
import { whyNot } from "../playground/why-not.ts";
import { requireSourceAt } from "../retrieval/require-source.ts";
import { retrieveRequest } from "../retrieval/schema.ts";
import { retrieve, streamRetrieval } from "../retrieval/service.ts";
import * as subscriptions from "../subscriptions/service.ts";
import { firstSteps } from "../usage/first-steps.ts";
import * as usageLog from "../usage/log.ts";
import { logAsCsv } from "../usage/log-csv.ts";
import { listReports, reportAnswer, resolveReport } from "../usage/report.ts";
import * as usage from "../usage/service.ts";
import { usageOf } from "../usage/statistics.ts";
import type { FilledCompany } from "./filled-company.ts";

/** A service method, called in a company by an actor, with ids of the company `of` where its input takes any. */
export type ServiceCall = (scope: TenantScope, actor: Actor, of: FilledCompany) => Promise<unknown>;

const month = { start: new Date("2000-01-01"), end: new Date("2100-01-01") };
const csv = { fileName: "faq.csv", bytes: Buffer.from("question,answer\nWho?,Us.\n") };
const noLabels = { audience: undefined, contentCategory: undefined, path: undefined };
const ownSource = identifiedSource.parse({ sourceType: "qa", sourceId: "own", question: "Who?", answer: "Us." });
const corpus = { documents: [{ id: "d", title: "D", text: "A document." }], queries: [], qrels: new Map() };
const mineralQuestion = {
  id: "q",
  question: "what is this mineral?",
  kind: "single fact" as const,
  language: "en",
  half: "fit" as const,
  refuse: true as const,
};
const everyRequest = { days: 90, source: null, outcome: null, search: "" };
const request = retrieveRequest.parse({ queryText: "what is this mineral?", limit: 100 });

/** Calls of every service method that takes a company; `serviceMethods` finds those that are missing here. */
export const SERVICE_CALLS = {
  describeKnowledge: (scope, actor) => describeKnowledge(scope, actor),
  createKey: (scope, actor) => apiKeys.createKey(scope, actor, { name: "Ours" }),
  listKeys: (scope, actor) => apiKeys.listKeys(scope, actor),
  listKeyChoices: (scope, actor) => apiKeys.listKeyChoices(scope, actor),
  getKey: (scope, actor, { keyId }) => apiKeys.getKey(scope, actor, keyId),
  getKeyChoice: (scope, actor, { keyId }) => apiKeys.getKeyChoice(scope, actor, keyId),
  renameKey: (scope, actor, { keyId }) => apiKeys.renameKey(scope, actor, { id: keyId, name: "stolen" }),
  rotateKey: (scope, actor, { keyId }) => apiKeys.rotateKey(scope, actor, { id: keyId, overlap: "now" }),
  revokeKey: (scope, actor, { keyId }) => apiKeys.revokeKey(scope, actor, keyId),
  getCompany: (scope, actor) => companies.getCompany(scope, actor),
  renameCompany: (scope, actor) => companies.renameCompany(scope, actor, { name: "Ours" }),
  updateCompanySettings: (scope, actor) => companies.updateCompanySettings(scope, actor, { hashQueries: false }),
  arrivalOf: (scope, actor, { keyId }) => arrivalOf(scope, actor, { keyId, since: new Date(0) }),
  addFiles: (scope, actor) => addFiles(scope, actor, [{ sourceId: "own.md", bytes: Buffer.from("Our own text.") }]),
  addSources: (scope, actor) => addSources(scope, actor, []),
  browseSources: (scope, actor, { word }) => browseSources(scope, actor, browseQuery.parse({ search: word })),
  exportSources: (scope, actor) => linesOf(scope, actor),
  importSources: async (scope, actor, { scope: other, word }) => {
    const exported = await linesOf(other, SYSTEM_ACTOR);
    const lines = exported.map((line) => line.replaceAll(word, "copied").replaceAll(/paper-\d+/g, "copied"));
    return importSources(scope, actor, async function* () {
      yield Buffer.from(lines.join("\n"));
    });
  },
  importQuestions: (scope, actor) => importQuestions(scope, actor, csv, noLabels),
  previewQuestions: (scope, actor) => previewQuestions(scope, actor, csv, noLabels),
  listLabels: (scope, actor) => listLabels(scope, actor),
  listSources: (scope, actor) => listSources(scope, actor),
  deleteSource: (scope, actor, { sourceId }) => knowledge.deleteSource(scope, actor, sourceId),
  restoreSource: (scope, actor, { sourceId }) => knowledge.restoreSource(scope, actor, sourceId),
  relabelSource: (scope, actor, { sourceId }) => relabel.relabelSource(scope, actor, sourceId, { path: ["stolen"] }),
  sourceByExternalId: (scope, actor, { externalId }) => knowledge.sourceByExternalId(scope, actor, externalId),
  deleteSources: (scope, actor, { sourceId }) => knowledge.deleteSources(scope, actor, [sourceId]),
  restoreSources: (scope, actor, { sourceId }) => knowledge.restoreSources(scope, actor, [sourceId]),
  reindexSources: (scope, actor, { sourceId }) => relabel.reindexSources(scope, actor, [sourceId]),
  relabelSources: (scope, actor, { sourceId }) =>
    relabel.relabelSources(scope, actor, [sourceId], { path: ["stolen"] }),
  undoRelabel: (scope, actor, { versionId }) => relabel.undoRelabel(scope, actor, [versionId]),
  findGained: async (scope, actor, { externalId }) => [
    ...(await findGained(scope, actor, [{ sourceId: externalId, audience: ["a"] }])).values(),
  ],
  refuseWidening: (scope, actor, { externalId }) =>
    refuseWidening(scope, actor, [{ sourceId: externalId, audience: ["a"] }]),
  waitingVersions: (scope, actor, { versionId }) => progress.waitingVersions(scope, actor, [versionId]),
  progressOf: (scope, actor, { versionId }) => progress.progressOf(scope, actor, [versionId]),
  outcomeOf: (scope, actor, { versionId }) => progress.outcomeOf(scope, actor, [versionId]),
  getSource: (scope, actor, { sourceId }) => sourcePage.getSource(scope, actor, sourceId, { page: 1, chunkId: null }),
  readAround: (scope, actor, { chunkId }) => readAround(scope, actor, chunkId, 1_000),
  sourceOfChunk: (scope, actor, { chunkId }) => sourcePage.sourceOfChunk(scope, actor, chunkId),
  originalOf: (scope, actor, { fileSourceId }) => sourcePage.originalOf(scope, actor, fileSourceId),
  deleteManaged: (scope, actor, { externalId }) => deleteManaged(scope, actor, { sourceIds: [externalId], confirm: 1 }),
  diffSources: (scope, actor, { externalId }) =>
    diffSources(scope, actor, { sources: [{ sourceId: externalId, sha256: "0".repeat(64) }], prefix: undefined }),
  followSource: (scope, actor, { sourceId }) =>
    followSource(scope, actor, sourceId, { seconds: 0, signal: new AbortController().signal }),
  getManaged: (scope, actor, { sourceId }) => getManaged(scope, actor, sourceId),
  listManaged: (scope, actor) => listManaged(scope, actor, listQuery.parse({})),
  putSource: (scope, actor) => put.putSource(scope, actor, ownSource),
  putFile: (scope, actor) => put.putFile(scope, actor, { sourceId: "own.txt", bytes: Buffer.from("Our own text.") }),
  putBatch: (scope, actor) => put.putBatch(scope, actor, batchInput.parse({ sources: [ownSource] }).sources),
  putQuestions: (scope, actor) => put.putQuestions(scope, actor, csv, noLabels),
  findRefusedLabels: (scope, actor) => findRefusedLabels(scope, actor, []),
  reindexSource: (scope, actor, { sourceId }) => relabel.reindexSource(scope, actor, sourceId),
  textOfSource: (scope, actor, { sourceId }) => textOfSource(scope, actor, sourceId),
  listMembers: (scope, actor) => members.listMembers(scope, actor),
  createMember: (scope, actor) =>
    members.createMember(scope, actor, {
      email: "new@ours.example",
      name: "New",
      role: "admin",
      password: "marl slate 1",
    }),
  changeRole: (scope, actor, { userId }) => members.changeRole(scope, actor, { userId, role: "support" }),
  removeMember: (scope, actor, { userId }) => members.removeMember(scope, actor, userId),
  listInvitations: (scope, actor) => links.listInvitations(scope, actor),
  invite: (scope, actor) => links.invite(scope, actor, { email: "guest@ours.example", role: "support" }),
  withdrawInvitation: (scope, actor, { invitationId }) => links.withdrawInvitation(scope, actor, invitationId),
  createResetLink: (scope, actor, { userId }) => links.createResetLink(scope, actor, userId),
  requireSourceAt: (scope) => requireSourceAt(scope, { ...request, filters: { path: ["Minerals"] } }, {}),
  retrieve: (scope) => retrieve(scope, request, { requestId: crypto.randomUUID(), origin: "api" }),
  streamRetrieval: (scope) =>
    partsOf(streamRetrieval(scope, request, { requestId: crypto.randomUUID(), origin: "api" })),
  acceptCorpus: async (scope, actor) => acceptCorpus(scope, actor, corpus.documents),
  evaluate: (scope, actor) => evaluate(scope, actor, corpus),
  askForAnswers: (scope, actor) => askForAnswers(scope, actor, [mineralQuestion]),
  getSubscription: (scope, actor) => subscriptions.getSubscription(scope, actor),
  listSubscriptionHistory: (scope, actor) => subscriptions.listSubscriptionHistory(scope, actor),
  setSubscription: (scope, actor) => subscriptions.setSubscription(scope, actor, { status: "ACTIVE" }),
  cancelSubscription: (scope, actor) => subscriptions.cancelSubscription(scope, actor, { at: "now" }),
  previewResume: (scope, actor) => subscriptions.previewResume(scope, actor),
  resumeSubscription: (scope, actor) => subscriptions.resumeSubscription(scope, actor),
  changePlan: (scope, actor) => subscriptions.changePlan(scope, actor, { plan: "scale" }),
  reportAnswer: (scope, actor, { requestId }) =>
    reportAnswer(scope, actor, { requestId, question: "Q", answer: "A", note: "N" }),
  countServed: (scope, actor) => usage.countServed(scope, actor, month),
  listKeyCalls: (scope, actor, { keyId }) => usage.listKeyCalls(scope, actor, keyId),
  usageOf: (scope, actor) => usageOf(scope, actor, { days: 30, source: null }),
  listRequests: (scope, actor, { requestId }) =>
    usageLog.listRequests(scope, actor, { ...everyRequest, search: requestId }, 1),
  getRequest: (scope, actor, { requestId }) => usageLog.getRequest(scope, actor, requestId),
  logAsCsv: async (scope, actor) => textOf(logAsCsv(scope, actor, everyRequest)),
  listReports: (scope, actor) => listReports(scope, actor),
  resolveReport: (scope, actor, { reportId }) => resolveReport(scope, actor, reportId),
  firstSteps: (scope, actor) => firstSteps(scope, actor),
  browseAudit: (scope, actor) =>
    browseAudit(scope, actor, { actor: null, action: null, from: null, to: null, page: 1 }),
  listRuns: (scope, actor) => listRuns(scope, actor),
  runInPlayground: (scope, actor, { keyId }) =>
    partsOf(runInPlayground(scope, actor, { requestId: crypto.randomUUID(), request, keyId })),
  pageSources: (scope, actor) => pageSources(scope, actor, { limit: 100, order: "asc" }),
  listedSource: (scope, actor, { sourceId }) => listedSource(scope, actor, sourceId),
  rowIdsOf: async (scope, actor, { externalId }) => [...(await rowIdsOf(scope, actor, [externalId]))],
  summarizeKnowledge: (scope, actor) => summarizeKnowledge(scope, actor),
  whyNot: (scope, actor, { externalId }) => whyNot(scope, actor, { request, keyId: null, name: externalId }),
  deleteCompany: (scope, actor) => companies.deleteCompany(scope, actor),
} satisfies Record<string, ServiceCall>;

export type ServiceMethod = keyof typeof SERVICE_CALLS;

async function linesOf(scope: TenantScope, actor: Actor): Promise<string[]> {
  const lines: string[] = [];
  for await (const { line } of exportSources(scope, actor)) lines.push(line);
  return lines;
}

async function partsOf(parts: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}

/** The exported functions of lib that take a company's scope and that pages, routes or the command line call. */
export function serviceMethods(): { name: string; takesActor: boolean }[] {
  const read = (...folders: string[]) =>
    folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$|^testing\//.test(name))
        .map((name) => readFileSync(join(folder, name), "utf8")),
    );
  const callers = read("app", "scripts", "lib/adapters").join("\n");
  const signature =
    /^export (?:async )?function\*? (\w+)\(\s*(?:scope: TenantScope|\{[^}]*\}: TenantScope)(,\s*actor: Actor\b)?/gm;
  return read("lib")
    .flatMap((text) => [...text.matchAll(signature)])
    .map(([, name = "", actor]) => ({ name, takesActor: actor !== undefined }))
    .filter(({ name }) => new RegExp(`\\b${name}\\b`).test(callers));
}
