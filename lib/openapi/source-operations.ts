import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import * as responses from "../knowledge/manage/responses.ts";
import * as schema from "../knowledge/manage/schema.ts";
import { operation } from "./managed-operation.ts";
import { header } from "./responses.ts";
import * as examples from "./source-examples.ts";

const byId = { path: schema.sourceParams.meta({ id: "SourceId" }) };
const IF_MATCH =
  '`"<versionId>"`: change the source only if this is its newest version. `*`: change it only if it exists.';
const ifMatch = z.object({ "If-Match": header(IF_MATCH) });
const fileIfMatch = z.object({ "If-Match": header(`${IF_MATCH} Cannot be used with \`as=questions\`.`) });

const etag = { ETag: header("The newest version. Send it as `If-Match` to change only this version.") };
const waited = { "Preference-Applied": header("The preference `wait` that was followed, as `wait=30`.") };
const attached = { "Content-Disposition": header("The name of the file, to save it.") };

const listSources = operation({
  operationId: "listSources",
  summary: "List sources",
  description: "Lists the sources that the key's policy allows, newest change last.",
  scope: "manage",
  params: { query: schema.listQuery },
  response: { schema: responses.listResponse, example: examples.listExample },
  errors: ["ValidationError"],
});

const putSource = operation({
  operationId: "putSource",
  summary: "Put a source",
  description:
    "Adds a document as text, or a question with its answer, or replaces the one with the same `sourceId`. Unchanged content is skipped. Labels that you leave out keep their values. If another source has the same question, both are kept, and `alreadyAnsweredIn` names the other one; with `merge=true`, the question and its answer go into that source.",
  scope: "ingest",
  params: { query: schema.mergeQuery, header: ifMatch },
  body: { schema: schema.putSourceRequest, example: examples.putExample },
  response: { schema: responses.acceptedSource, example: examples.acceptedExample },
  queues: true,
  errors: ["PreconditionFailed"],
  headers: etag,
});

const putFile = operation({
  operationId: "putFile",
  summary: "Put a file",
  description:
    "Adds or replaces a source from a file of up to 50 MB: the bytes as the body, or a form with the part `file` and an optional part `labels` in JSON. A file that cannot be read is accepted and then fails with its reason. With `as=questions`, the file may have up to 100,000 rows, and the response has one entry for each row, with the name of its sheet if a workbook has several.",
  scope: "ingest",
  params: { query: schema.fileQuery, header: fileIfMatch },
  file: true,
  response: { schema: responses.putFileResponse, example: examples.acceptedExample },
  queues: true,
  errors: ["PreconditionFailed", "ValidationError", "PayloadTooLarge"],
  headers: etag,
});

const putBatch = operation({
  operationId: "putSources",
  summary: "Put a batch of sources",
  description:
    "Puts up to 200 sources, as JSON or one per line (`application/x-ndjson`). Valid sources are accepted even when others are not; when none is valid, the response is 422.",
  scope: "ingest",
  params: { query: schema.batchQuery },
  body: {
    schema: schema.batchRequest,
    example: examples.batchExample,
    lines: examples.batchExample.sources,
  },
  response: { schema: responses.batchResponse, example: examples.batchOutcomeExample },
  queues: true,
  errors: ["PreconditionFailed"],
});

const diffSources = operation({
  operationId: "diffSources",
  summary: "Compare sources",
  description:
    "Tells which of up to 10,000 sources have to be sent and, for a key with the scope `manage`, which existing sources are left over.",
  scope: "ingest",
  body: { schema: schema.diffRequest, example: examples.diffExample },
  response: { schema: responses.diffResponse, example: examples.diffOutcomeExample },
});

const getStatuses = operation({
  operationId: "getSourceStatuses",
  summary: "Follow several sources",
  description: "Returns the states of up to 200 sources.",
  scope: "ingest",
  params: {
    header: z.object({
      Prefer: header("`wait=30`: respond when none of the sources is processing, after at most 30 seconds."),
    }),
  },
  body: { schema: schema.statusesRequest, example: examples.statusesExample },
  response: { schema: responses.statusesResponse, example: examples.statusesOutcomeExample },
  headers: waited,
});

const deleteSources = operation({
  operationId: "deleteSources",
  summary: "Delete several sources",
  description:
    "Deletes the named sources, or all below a prefix. `confirm` must be their number. They can be restored for 24 hours.",
  scope: "manage",
  body: { schema: schema.deleteRequest, example: examples.deleteExample },
  response: { schema: responses.deleteResponse, example: examples.deleteOutcomeExample },
});

const getSource = operation({
  operationId: "getSource",
  summary: "Follow a source",
  description: "Describes a source with its status and versions.",
  scope: "ingest",
  params: {
    ...byId,
    header: z.object({
      Prefer: header("`wait=30`: respond when the source is no longer processing, after at most 30 seconds."),
    }),
  },
  response: { schema: responses.sourceResponse, example: examples.sourceExample },
  errors: ["NotFound"],
  headers: { ...etag, ...waited },
});

const labelSource = operation({
  operationId: "labelSource",
  summary: "Change labels",
  description: "Changes the given labels of a source. Its text stays.",
  scope: "ingest",
  params: { ...byId, header: ifMatch },
  body: { schema: schema.labelsRequest, example: examples.labelsExample },
  response: { schema: responses.acceptedSource, example: examples.acceptedExample },
  queues: true,
  errors: ["NotFound", "PreconditionFailed"],
  headers: etag,
});

const verifySource = operation({
  operationId: "verifySource",
  summary: "Verify an answer",
  description:
    "Marks the answer of a question as verified, in the name of the key: questions that ask the same get it word for word. A new answer has to be verified again. 409 when the source is not a question, or its newest version is not ready.",
  scope: "manage",
  params: { ...byId, header: ifMatch },
  body: { schema: schema.verifyRequest, example: examples.verifyExample },
  response: { schema: responses.verificationResponse, example: examples.verificationExample },
  errors: ["NotFound", "Conflict", "PreconditionFailed"],
});

const withdrawVerification = operation({
  operationId: "withdrawVerification",
  summary: "Withdraw a verification",
  description: "Marks the answer of a question as not verified. The answer stays.",
  scope: "manage",
  params: byId,
  response: {
    schema: responses.verificationResponse,
    example: { ...examples.verificationExample, verification: null },
  },
  errors: ["NotFound"],
});

const deleteSource = operation({
  operationId: "deleteSource",
  summary: "Delete a source",
  description: "Removes a source from retrieval immediately. It can be restored for 24 hours.",
  scope: "manage",
  params: byId,
  response: { schema: responses.deletedSource, example: examples.sourceRefExample },
  errors: ["NotFound"],
});

const restoreSource = operation({
  operationId: "restoreSource",
  summary: "Restore a source",
  description: "Restores a source that was deleted less than 24 hours ago.",
  scope: "manage",
  params: byId,
  response: { schema: responses.deletedSource, example: examples.sourceRefExample },
  errors: ["NotFound", "Conflict"],
});

const reindexSource = operation({
  operationId: "reindexSource",
  summary: "Process a source again",
  description: "Reads and splits a source again, for example after a failure.",
  scope: "manage",
  params: byId,
  response: { schema: responses.acceptedSource, example: examples.acceptedExample },
  queues: true,
  errors: ["NotFound"],
  headers: etag,
});

const getText = operation({
  operationId: "getSourceText",
  summary: "Read the text of a source",
  description: "Returns the text that retrieval serves, as Markdown.",
  scope: "manage",
  params: byId,
  response: { mediaType: "text/markdown" },
  errors: ["NotFound"],
});

const getOriginal = operation({
  operationId: "getSourceOriginal",
  summary: "Download the original file",
  description: "Returns the file of a source. A source that is a text, or whose file is missing, has none.",
  scope: "manage",
  params: byId,
  response: { mediaType: "application/octet-stream" },
  errors: ["NotFound"],
  headers: attached,
});

/** The paths of the management API, in the order of the reference. */
export const sourcePaths: ZodOpenApiPathsObject = {
  "/api/sources": { put: putSource, get: listSources },
  "/api/sources/file": { put: putFile },
  "/api/sources/batch": { post: putBatch },
  "/api/sources/diff": { post: diffSources },
  "/api/sources/status": { post: getStatuses },
  "/api/sources/delete": { post: deleteSources },
  "/api/sources/{id}": { get: getSource, patch: labelSource, delete: deleteSource },
  "/api/sources/{id}/text": { get: getText },
  "/api/sources/{id}/original": { get: getOriginal },
  "/api/sources/{id}/verification": { put: verifySource, delete: withdrawVerification },
  "/api/sources/{id}/reindex": { post: reindexSource },
  "/api/sources/{id}/restore": { post: restoreSource },
};
