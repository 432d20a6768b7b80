import * as apiKeys from "../api-keys/service.ts";
import { browseAudit } from "../audit/browse.ts";
import * as companies from "../companies/service.ts";
import { latestRequestOf } from "../connect/latest-request.ts";
import { askForAnswers } from "../evaluation/ask-answers.ts";
import { acceptCorpus, evaluate } from "../evaluation/evaluate.ts";
import { findByName } from "../find/find-by-name.ts";
import * as links from "../members/links.ts";
import * as members from "../members/service.ts";
import { askAgain } from "../playground/ask-again.ts";
import { listRuns } from "../playground/history.ts";
import { runInPlayground } from "../playground/run.ts";
import { whyNot } from "../playground/why-not.ts";
import { requireSourceAt } from "../retrieval/require-source.ts";
import { retrieveRequest } from "../retrieval/schema.ts";
import { retrieve, streamRetrieval } from "../retrieval/service.ts";
import { DEFAULT_SETTINGS } from "../retrieval-settings/schema.ts";
import * as retrievalSettings from "../retrieval-settings/service.ts";
import { getCalibration, switchCalibration } from "../score-calibration/service.ts";
import * as subscriptions from "../subscriptions/service.ts";
import { countWaiting } from "../usage/count-waiting.ts";
import { firstSteps } from "../usage/first-steps.ts";
import { changeGap } from "../usage/gaps/change.ts";
import { listGaps } from "../usage/gaps/list.ts";
import { keyActivity } from "../usage/key-activity.ts";
import { knowledgeCallsOf } from "../usage/knowledge-calls.ts";
import * as usageLog from "../usage/log.ts";
import { logAsCsv } from "../usage/log-csv.ts";
import { getReceipt } from "../usage/receipt.ts";
import { listReports, reopenReport, reportAnswer, resolveReport } from "../usage/report.ts";
import * as usage from "../usage/service.ts";
import { usageOf } from "../usage/usage-of.ts";
import { collectParts } from "./collect-parts.ts";
import { KNOWLEDGE_CALLS } from "./knowledge-calls.ts";
import { MANAGE_CALLS } from "./manage-calls.ts";
import type { Callers, ServiceCall } from "./service-call.ts";
import { TEST_QUESTION_CALLS } from "./test-question-calls.ts";

const month = { start: new Date("2000-01-01"), end: new Date("2100-01-01") };
const corpus = { documents: [{ id: "d", title: "D", text: "A document." }], queries: [], qrels: new Map() };
const mineralQuestion = {
  id: "q",
  question: "what is this mineral?",
  kind: "single fact" as const,
  language: "en",
  half: "fit" as const,
  refuse: true as const,
};
const everyRequest = { days: 90, sender: null, outcome: null, search: "" };
const request = retrieveRequest.parse({ queryText: "what is this mineral?", limit: 100 });

/**
 * Every service method that takes a company: who may call it, and a call. `serviceMethods` finds those that are missing
 * here.
 */
export const SERVICE_CALLS = {
  createKey: ["admins", (scope, actor) => apiKeys.createKey(scope, actor, { name: "Ours" })],
  listKeys: ["admins", (scope, actor) => apiKeys.listKeys(scope, actor)],
  listKeyChoices: ["members", (scope, actor) => apiKeys.listKeyChoices(scope, actor)],
  getKey: ["admins", (scope, actor, { keyId }) => apiKeys.getKey(scope, actor, keyId)],
  getKeyChoice: ["members", (scope, actor, { keyId }) => apiKeys.getKeyChoice(scope, actor, keyId)],
  restrictKey: [
    "admins",
    (scope, actor, { keyId }) => apiKeys.restrictKey(scope, actor, { id: keyId, scopes: ["retrieve"] }),
  ],
  renameKey: ["admins", (scope, actor, { keyId }) => apiKeys.renameKey(scope, actor, { id: keyId, name: "stolen" })],
  rotateKey: ["admins", (scope, actor, { keyId }) => apiKeys.rotateKey(scope, actor, { id: keyId, overlap: "now" })],
  revokeKey: ["admins", (scope, actor, { keyId }) => apiKeys.revokeKey(scope, actor, keyId)],
  getCompany: ["members", (scope, actor) => companies.getCompany(scope, actor)],
  renameCompany: ["admins", (scope, actor) => companies.renameCompany(scope, actor, { name: "Ours" })],
  updateCompanySettings: [
    "admins",
    (scope, actor) => companies.updateCompanySettings(scope, actor, { hashQueries: false }),
  ],
  latestRequestOf: [
    "admins",
    (scope, actor, { keyId }) => latestRequestOf(scope, actor, { keyId, since: new Date(0), served: null }),
  ],
  ...KNOWLEDGE_CALLS,
  ...MANAGE_CALLS,
  listMembers: ["admins", (scope, actor) => members.listMembers(scope, actor)],
  createMember: [
    "operator",
    (scope, actor) =>
      members.createMember(scope, actor, {
        email: "new@ours.example",
        name: "New",
        role: "admin",
        password: "marl slate 1",
      }),
  ],
  changeRole: ["admins", (scope, actor, { userId }) => members.changeRole(scope, actor, { userId, role: "support" })],
  removeMember: ["admins", (scope, actor, { userId }) => members.removeMember(scope, actor, userId)],
  listInvitations: ["admins", (scope, actor) => links.listInvitations(scope, actor)],
  invite: ["admins", (scope, actor) => links.invite(scope, actor, { email: "guest@ours.example", role: "support" })],
  withdrawInvitation: [
    "admins",
    (scope, actor, { invitationId }) => links.withdrawInvitation(scope, actor, invitationId),
  ],
  createResetLink: ["admins", (scope, actor, { userId }) => links.createResetLink(scope, actor, userId)],
  requireSourceAt: ["anybody", (scope) => requireSourceAt(scope, { ...request, filters: { path: ["Minerals"] } }, {})],
  retrieve: ["anybody", (scope) => retrieve(scope, request, { requestId: crypto.randomUUID(), origin: "api" })],
  streamRetrieval: [
    "anybody",
    (scope) => collectParts(streamRetrieval(scope, request, { requestId: crypto.randomUUID(), origin: "api" })),
  ],
  acceptCorpus: ["admins", async (scope, actor) => acceptCorpus(scope, actor, corpus.documents)],
  evaluate: ["admins", (scope, actor) => evaluate(scope, actor, corpus)],
  askForAnswers: ["admins", (scope, actor) => askForAnswers(scope, actor, [mineralQuestion])],
  getSubscription: ["members", (scope, actor) => subscriptions.getSubscription(scope, actor)],
  listSubscriptionHistory: ["admins", (scope, actor) => subscriptions.listSubscriptionHistory(scope, actor)],
  setSubscription: ["operator", (scope, actor) => subscriptions.setSubscription(scope, actor, { status: "ACTIVE" })],
  cancelSubscription: ["admins", (scope, actor) => subscriptions.cancelSubscription(scope, actor, { at: "now" })],
  previewResume: ["admins", (scope, actor) => subscriptions.previewResume(scope, actor)],
  resumeSubscription: ["admins", (scope, actor) => subscriptions.resumeSubscription(scope, actor)],
  changePlan: ["admins", (scope, actor) => subscriptions.changePlan(scope, actor, { plan: "scale" })],
  reportAnswer: [
    "people",
    (scope, actor, { requestId }) => reportAnswer(scope, actor, { requestId, question: "Q", answer: "A", note: "N" }),
  ],
  countServed: ["admins", (scope, actor) => usage.countServed(scope, actor, month)],
  listKeyCalls: ["admins", (scope, actor, { keyId }) => usage.listKeyCalls(scope, actor, keyId)],
  knowledgeCallsOf: ["members", (scope, actor) => knowledgeCallsOf(scope, actor, { days: 30, sender: null })],
  keyActivity: ["admins", (scope, actor) => keyActivity(scope, actor, 30)],
  usageOf: ["members", (scope, actor) => usageOf(scope, actor, { days: 30, sender: null })],
  listRequests: [
    "members",
    (scope, actor, { requestId }) => usageLog.listRequests(scope, actor, { ...everyRequest, search: requestId }, 1),
  ],
  getRequest: ["members", (scope, actor, { requestId }) => usageLog.getRequest(scope, actor, requestId)],
  findByName: ["members", (scope, actor, { requestId }) => findByName(scope, actor, requestId)],
  getReceipt: ["members", (scope, actor, { requestId }) => getReceipt(scope, actor, requestId)],
  logAsCsv: ["members", async (scope, actor) => textOf(logAsCsv(scope, actor, everyRequest))],
  listReports: ["members", (scope, actor) => listReports(scope, actor)],
  reopenReport: ["members", (scope, actor, { reportId }) => reopenReport(scope, actor, reportId)],
  countWaiting: ["members", (scope, actor) => countWaiting(scope, actor)],
  listGaps: ["members", (scope, actor) => listGaps(scope, actor, "open")],
  changeGap: [
    "members",
    (scope, actor, { gapId }) => changeGap(scope, actor, { do: "dismiss", id: gapId, reason: "stolen" }),
  ],
  resolveReport: ["members", (scope, actor, { reportId }) => resolveReport(scope, actor, reportId)],
  firstSteps: ["members", (scope, actor) => firstSteps(scope, actor)],
  browseAudit: [
    "admins",
    (scope, actor) => browseAudit(scope, actor, { actor: null, action: null, from: null, to: null, page: 1 }),
  ],
  listRuns: ["people", (scope, actor) => listRuns(scope, actor)],
  runInPlayground: [
    "people",
    (scope, actor, { keyId }) =>
      collectParts(runInPlayground(scope, actor, { requestId: crypto.randomUUID(), request, keyId })),
  ],
  whyNot: [
    "people",
    (scope, actor, { externalId }) => whyNot(scope, actor, { request, keyId: null, name: externalId }),
  ],
  askAgain: [
    "people",
    (scope, actor, { requestId }) => askAgain(scope, actor, { id: requestId, requestId: crypto.randomUUID() }),
  ],
  getCalibration: ["members", (scope, actor) => getCalibration(scope, actor)],
  switchCalibration: ["admins", (scope, actor) => switchCalibration(scope, actor, { on: false })],
  getRetrievalSettings: ["members", (scope, actor) => retrievalSettings.getRetrievalSettings(scope, actor)],
  saveRetrievalSettings: [
    "admins",
    (scope, actor) =>
      retrievalSettings.saveRetrievalSettings(scope, actor, { ...DEFAULT_SETTINGS, refusalText: "Ours." }),
  ],
  restoreDefaultSettings: ["admins", (scope, actor) => retrievalSettings.restoreDefaultSettings(scope, actor)],
  ...TEST_QUESTION_CALLS,
  createCompany: [
    "admins of any company",
    async (_scope, actor) => (await companies.createCompany(actor, { name: "Ours too" })).name,
  ],
  deleteCompany: ["admins", (scope, actor) => companies.deleteCompany(scope, actor)],
} satisfies Record<string, [Callers, ServiceCall]>;

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}
