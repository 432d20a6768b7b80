import { identifiedSource } from "../knowledge/intake/source-input.ts";
import { deleteManaged } from "../knowledge/manage/delete-many.ts";
import { diffSources } from "../knowledge/manage/diff.ts";
import { followSource, followSources } from "../knowledge/manage/follow.ts";
import { getManaged, listManaged } from "../knowledge/manage/list.ts";
import { mergeRepeated } from "../knowledge/manage/merge.ts";
import * as put from "../knowledge/manage/put.ts";
import { textOfSource } from "../knowledge/manage/read.ts";
import { batchInput, listQuery } from "../knowledge/manage/schema.ts";
import { verifySource, withdrawSource } from "../knowledge/manage/verification.ts";
import { attachUpload } from "../knowledge/uploads/attach.ts";
import { attachedSourceId, discardUpload, heldUpload, holdUpload, pageUploads } from "../knowledge/uploads/hold.ts";
import { withSpooled } from "../storage/spool.ts";
import { NO_LABELS, QUESTIONS_FILE } from "./knowledge-calls.ts";
import type { Callers, ServiceCall } from "./service-call.ts";

const ownSource = identifiedSource.parse({ sourceType: "qa", sourceId: "own", question: "Who?", answer: "Us." });

/** The service methods of `lib/knowledge/manage` and `lib/knowledge/uploads`, for `SERVICE_CALLS`. */
export const MANAGE_CALLS = {
  mergeRepeated: [
    "admins, ingest keys",
    async (scope, actor, { question, word }) => {
      const same = identifiedSource.parse({ ...ownSource, sourceId: "repeated", question, audience: [word] });
      const placed = await mergeRepeated(scope, actor, [{ position: 0, source: same }]);
      return placed.filter(({ mergedFrom }) => mergedFrom !== undefined);
    },
  ],
  deleteManaged: [
    "admins, manage keys",
    (scope, actor, { externalId }) => deleteManaged(scope, actor, { sourceIds: [externalId], confirm: 1 }),
  ],
  diffSources: [
    "admins, ingest keys",
    (scope, actor, { externalId }) =>
      diffSources(scope, actor, { sources: [{ sourceId: externalId, sha256: "0".repeat(64) }], prefix: undefined }),
  ],
  followSource: [
    "admins, ingest keys",
    (scope, actor, { sourceId }) =>
      followSource(scope, actor, sourceId, { seconds: 0, signal: new AbortController().signal }),
  ],
  followSources: [
    "admins, ingest keys",
    (scope, actor, { sourceId }) =>
      followSources(scope, actor, [sourceId], { seconds: 0, signal: new AbortController().signal }),
  ],
  getManaged: ["admins, ingest keys", (scope, actor, { sourceId }) => getManaged(scope, actor, sourceId)],
  listManaged: ["admins, manage keys", (scope, actor) => listManaged(scope, actor, listQuery.parse({}))],
  putSource: ["admins, ingest keys", (scope, actor) => put.putSource(scope, actor, ownSource)],
  putFile: [
    "admins, ingest keys",
    (scope, actor) => put.putFile(scope, actor, { sourceId: "own.txt", bytes: Buffer.from("Our own text.") }),
  ],
  putBatch: [
    "admins, ingest keys",
    (scope, actor) => put.putBatch(scope, actor, batchInput.parse({ sources: [ownSource] }).sources),
  ],
  putQuestions: ["admins, ingest keys", (scope, actor) => put.putQuestions(scope, actor, QUESTIONS_FILE, NO_LABELS)],
  textOfSource: ["admins, manage keys", (scope, actor, { sourceId }) => textOfSource(scope, actor, sourceId)],
  verifySource: [
    "admins, manage keys",
    (scope, actor, { sourceId }) => verifySource(scope, actor, sourceId, { until: null, versionId: undefined }),
  ],
  withdrawSource: ["admins, manage keys", (scope, actor, { sourceId }) => withdrawSource(scope, actor, sourceId)],
  holdUpload: [
    "admins, ingest keys",
    (scope, actor) =>
      withSpooled(bytesOf("Our own text."), (file) =>
        holdUpload(scope, actor, { file, fileName: "own.txt", purpose: "assistants" }),
      ),
  ],
  pageUploads: ["admins, ingest keys", (scope, actor) => pageUploads(scope, actor, { limit: 100, order: "asc" })],
  heldUpload: ["admins, ingest keys", (scope, actor, { heldId }) => heldUpload(scope, actor, heldId)],
  attachedSourceId: ["admins, ingest keys", (scope, actor, { heldId }) => attachedSourceId(scope, actor, heldId)],
  attachUpload: [
    "admins, ingest keys",
    (scope, actor, { heldId }) => attachUpload(scope, actor, heldId, { path: ["ours"] }),
  ],
  discardUpload: ["admins, ingest keys", (scope, actor, { heldId }) => discardUpload(scope, actor, heldId)],
} satisfies Record<string, [Callers, ServiceCall]>;

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}
