import { type Actor, SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { browseSources } from "../knowledge/browse/browse.ts";
import { browseQuery, sourceFilter } from "../knowledge/browse/browse-query.ts";
import { getChunk } from "../knowledge/browse/chunk-page.ts";
import { describeKnowledge } from "../knowledge/browse/describe-knowledge.ts";
import { listSources } from "../knowledge/browse/list.ts";
import { listLabels } from "../knowledge/browse/list-labels.ts";
import { matchingSources, stillMatching } from "../knowledge/browse/matching-sources.ts";
import { listedSource, pageSources, rowIdsOf, summarizeKnowledge } from "../knowledge/browse/page-sources.ts";
import { readAround } from "../knowledge/browse/read-around.ts";
import * as sourcePage from "../knowledge/browse/source-page.ts";
import { exportSources } from "../knowledge/export.ts";
import { importSources } from "../knowledge/import.ts";
import * as progress from "../knowledge/ingest/progress.ts";
import { addFiles, addSources } from "../knowledge/intake/add.ts";
import { addQuestion, editQuestion, mergeQuestion } from "../knowledge/intake/add-question.ts";
import * as edit from "../knowledge/intake/edit-content.ts";
import { importQuestions, previewQuestions } from "../knowledge/intake/import-preview.ts";
import { lastRelabel } from "../knowledge/intake/last-relabel.ts";
import { findRefusedLabels } from "../knowledge/intake/refuse-labels.ts";
import { findGained, refuseWidening } from "../knowledge/intake/refuse-widening.ts";
import * as relabel from "../knowledge/intake/relabel.ts";
import { restoreSource, restoreSources } from "../knowledge/restore.ts";
import * as knowledge from "../knowledge/service.ts";
import { acceptSuggestion, declineSuggestion } from "../knowledge/suggestions/decide.ts";
import { listSuggestions } from "../knowledge/suggestions/list.ts";
import { suggestContent, withdrawSuggestion } from "../knowledge/suggestions/suggest.ts";
import { importVerifications } from "../knowledge/verify/import-verifications.ts";
import { verifyAnswers, withdrawVerification } from "../knowledge/verify/verify.ts";
import type { Callers, ServiceCall } from "./service-call.ts";

export const QUESTIONS_FILE = { fileName: "faq.csv", bytes: Buffer.from("question,answer\nWho?,Us.\n") };
export const NO_LABELS = { audience: undefined, contentCategory: undefined, path: undefined };
const writtenQuestion = {
  ...NO_LABELS,
  ...{ question: "Who?", answer: "Us.", alternatives: undefined, sourceId: undefined },
};

/** The service methods of `lib/knowledge`, for `SERVICE_CALLS`; those behind the API are in `MANAGE_CALLS`. */
export const KNOWLEDGE_CALLS = {
  describeKnowledge: ["askers", (scope, actor) => describeKnowledge(scope, actor)],
  addFiles: [
    "admins, ingest keys",
    (scope, actor) => addFiles(scope, actor, [{ sourceId: "own.md", bytes: Buffer.from("Our own text.") }]),
  ],
  addSources: ["admins, ingest keys", (scope, actor) => addSources(scope, actor, [])],
  browseSources: [
    "members",
    (scope, actor, { word }) => browseSources(scope, actor, browseQuery.parse({ search: word })),
  ],
  exportSources: ["admins", (scope, actor) => linesOf(scope, actor)],
  importSources: [
    "admins",
    async (scope, actor, { scope: other, word }) => {
      const exported = await linesOf(other, SYSTEM_ACTOR);
      const lines = exported.map((line) => line.replaceAll(word, "copied").replaceAll(/paper-\d+/g, "copied"));
      return importSources(scope, actor, async function* () {
        yield Buffer.from(lines.join("\n"));
      });
    },
  ],
  addQuestion: ["admins", (scope, actor) => addQuestion(scope, actor, writtenQuestion)],
  mergeQuestion: [
    "admins",
    (scope, actor, { sourceId, versionId }) =>
      mergeQuestion(scope, actor, { ...writtenQuestion, id: sourceId, versionId }),
  ],
  suggestContent: [
    "people",
    (scope, actor, { sourceId }) =>
      suggestContent(scope, actor, {
        ...{ sourceId, note: "", requestId: null },
        content: { kind: "text", title: "stolen", content: "stolen" },
      }),
  ],
  listSuggestions: ["members", (scope, actor) => listSuggestions(scope, actor)],
  acceptSuggestion: [
    "admins",
    (scope, actor, { suggestionId }) => acceptSuggestion(scope, actor, { id: suggestionId, versionId: null }),
  ],
  declineSuggestion: [
    "admins",
    (scope, actor, { suggestionId }) => declineSuggestion(scope, actor, { id: suggestionId, reason: "No." }),
  ],
  verifyAnswers: [
    "admins, manage keys",
    (scope, actor, { sourceId }) => verifyAnswers(scope, actor, { ids: [sourceId], until: null }),
  ],
  importVerifications: [
    "admins",
    (scope, actor, { sourceId, versionId }) =>
      importVerifications(scope, actor, [{ id: sourceId, versionId, by: "stolen", until: null }], {
        eventId: sourceId,
        answers: [],
      }),
  ],
  withdrawVerification: [
    "admins, manage keys",
    (scope, actor, { sourceId }) => withdrawVerification(scope, actor, [sourceId]),
  ],
  withdrawSuggestion: ["people", (scope, actor, { suggestionId }) => withdrawSuggestion(scope, actor, suggestionId)],
  editQuestion: [
    "admins",
    (scope, actor, { sourceId }) =>
      editQuestion(scope, actor, {
        ...{ id: sourceId, versionId: sourceId },
        content: { kind: "text", title: "stolen", content: "stolen" },
      }),
  ],
  importQuestions: ["admins", (scope, actor) => importQuestions(scope, actor, QUESTIONS_FILE, NO_LABELS)],
  previewQuestions: ["admins", (scope, actor) => previewQuestions(scope, actor, QUESTIONS_FILE, NO_LABELS)],
  listLabels: ["members", (scope, actor) => listLabels(scope, actor)],
  listSources: ["members", (scope, actor) => listSources(scope, actor)],
  matchingSources: ["admins", (scope, actor) => matchingSources(scope, actor, sourceFilter.parse({}))],
  stillMatching: [
    "admins",
    (scope, actor, { sourceId }) => stillMatching(scope, actor, [sourceId], sourceFilter.parse({})),
  ],
  deleteSource: ["admins, manage keys", (scope, actor, { sourceId }) => knowledge.deleteSource(scope, actor, sourceId)],
  restoreSource: ["admins, manage keys", (scope, actor, { sourceId }) => restoreSource(scope, actor, sourceId)],
  relabelSource: [
    "admins, ingest keys",
    (scope, actor, { sourceId }) => relabel.relabelSource(scope, actor, sourceId, { path: ["stolen"] }),
  ],
  sourceByExternalId: [
    "members",
    (scope, actor, { externalId }) => knowledge.sourceByExternalId(scope, actor, externalId),
  ],
  deleteSources: [
    "admins, manage keys",
    (scope, actor, { sourceId }) => knowledge.deleteSources(scope, actor, [sourceId]),
  ],
  restoreSources: ["admins, manage keys", (scope, actor, { sourceId }) => restoreSources(scope, actor, [sourceId])],
  reindexSources: [
    "admins, manage keys",
    (scope, actor, { sourceId }) => relabel.reindexSources(scope, actor, [sourceId]),
  ],
  relabelSources: [
    "admins, ingest keys",
    (scope, actor, { sourceId }) => relabel.relabelSources(scope, actor, [sourceId], { path: ["stolen"] }),
  ],
  undoRelabel: ["admins", (scope, actor, { relabelId }) => relabel.undoRelabel(scope, actor, relabelId)],
  lastRelabel: ["admins", (scope, actor) => lastRelabel(scope, actor)],
  findGained: [
    "admins, ingest keys",
    async (scope, actor, { externalId }) => [
      ...(await findGained(scope, actor, [{ sourceId: externalId, audience: ["a"] }])).values(),
    ],
  ],
  refuseWidening: [
    "admins, ingest keys",
    (scope, actor, { externalId }) => refuseWidening(scope, actor, [{ sourceId: externalId, audience: ["a"] }]),
  ],
  unfinishedVersions: [
    "members",
    (scope, actor, { versionId }) => progress.unfinishedVersions(scope, actor, [versionId]),
  ],
  progressOf: ["members", (scope, actor, { versionId }) => progress.progressOf(scope, actor, [versionId])],
  outcomeOf: ["members", (scope, actor, { versionId }) => progress.outcomeOf(scope, actor, [versionId])],
  getSource: [
    "members",
    (scope, actor, { sourceId }) => sourcePage.getSource(scope, actor, sourceId, { page: 1, chunkId: null }),
  ],
  readAround: ["askers", (scope, actor, { chunkId }) => readAround(scope, actor, chunkId, 1_000)],
  getChunk: ["members", (scope, actor, { chunkId }) => getChunk(scope, actor, chunkId)],
  getContent: ["members", (scope, actor, { sourceId }) => edit.getContent(scope, actor, sourceId)],
  getVersion: ["members", (scope, actor, { sourceId }) => edit.getVersion(scope, actor, sourceId, 1)],
  editContent: [
    "admins",
    (scope, actor, { sourceId, versionId }) =>
      edit.editContent(scope, actor, {
        ...{ id: sourceId, versionId },
        content: { kind: "text", title: "stolen", content: "stolen" },
      }),
  ],
  restoreVersion: ["admins", (scope, actor, { sourceId }) => edit.restoreVersion(scope, actor, sourceId, 1)],
  originalOf: [
    "members, manage keys",
    (scope, actor, { fileSourceId }) => sourcePage.originalOf(scope, actor, fileSourceId),
  ],
  findRefusedLabels: ["admins, ingest keys", (scope, actor) => findRefusedLabels(scope, actor, [])],
  reindexSource: ["admins, manage keys", (scope, actor, { sourceId }) => relabel.reindexSource(scope, actor, sourceId)],
  pageSources: ["members, manage keys", (scope, actor) => pageSources(scope, actor, { limit: 100, order: "asc" })],
  listedSource: ["admins, ingest keys", (scope, actor, { sourceId }) => listedSource(scope, actor, sourceId)],
  rowIdsOf: ["askers", async (scope, actor, { externalId }) => [...(await rowIdsOf(scope, actor, [externalId]))]],
  summarizeKnowledge: ["askers", (scope, actor) => summarizeKnowledge(scope, actor)],
} satisfies Record<string, [Callers, ServiceCall]>;

async function linesOf(scope: TenantScope, actor: Actor): Promise<string[]> {
  const lines: string[] = [];
  for await (const { line } of exportSources(scope, actor)) lines.push(line);
  return lines;
}
