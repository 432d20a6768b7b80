import { z } from "zod";
import { countText } from "../../counted.ts";
import { SOURCE_TYPES } from "../../db/column-values.ts";
import { LABELS } from "../../label-changes.ts";
import { SOURCE_STATUSES, VERIFICATIONS } from "../values.ts";

/** The maximum number of sources that one comparison names, and that it lists as extra. */
export const SOURCES_PER_DIFF = 10_000;

/** A description for the API reference. */
export const describe = (description: string) => ({ description });

const accepted = {
  id: z.uuid().meta(describe("Ragstone's id of the source, for the routes with `{id}`.")),
  sourceId: z.string().meta(describe("Your own identifier.")),
  versionId: z.uuid().meta(describe("The newest version. Send it as `If-Match` to change only this version.")),
  unchanged: z.boolean().meta(describe("Whether the content was already known, so that nothing changed.")),
  status: z
    .enum(["ready", "processing"])
    .meta(describe("`processing` until retrieval can return the version, or until it failed.")),
  changedLabels: z
    .array(
      z.strictObject({
        label: z.enum(LABELS),
        before: z.unknown().meta(describe("Its former value, as a source has it.")),
        after: z.unknown().meta(describe("Its value now.")),
      }),
    )
    .optional()
    .meta(
      describe(
        "The labels of an existing source that this request changed, including a deleted source that could be restored. Of `metadata`, only what callers set. Absent if none changed.",
      ),
    ),
  alreadyAnsweredIn: z
    .strictObject({ id: z.uuid(), sourceId: z.string() })
    .optional()
    .meta(
      describe(
        "A warning: another source has the same question, and both are kept. Absent if the question did not change or no other source has it.",
      ),
    ),
  mergedFrom: z
    .string()
    .optional()
    .meta(
      describe(
        "With `merge=true`: the identifier that you sent. Its question is now a phrasing of this source, which has the new answer.",
      ),
    ),
};

export const acceptedSource = z.strictObject(accepted).meta({ id: "AcceptedSource" });

const issues = z
  .array(z.strictObject({ path: z.string(), message: z.string() }))
  .meta(describe("What is wrong with the source, by field."));

const index = z.int().meta(describe("The place in the request, from 0."));
const row = z.int().meta(describe("The row of the file, from 1, as a spreadsheet shows it."));
const sheet = z.string().optional().meta(describe("The name of the row's sheet, if a workbook has several."));
const failed = { sourceId: z.string().optional(), issues };

export const batchResponse = z
  .strictObject({
    accepted: z.array(z.strictObject({ index, ...accepted }).meta({ id: "AcceptedInBatch" })),
    failed: z.array(z.strictObject({ index, ...failed }).meta({ id: "FailedInBatch" })),
  })
  .meta({ id: "BatchOutcome" });

const questionsResponse = z
  .strictObject({
    accepted: z.array(z.strictObject({ row, sheet, ...accepted }).meta({ id: "AcceptedRow" })),
    failed: z.array(z.strictObject({ row, sheet, ...failed }).meta({ id: "FailedRow" })),
  })
  .meta({ id: "QuestionsOutcome" });

export const putFileResponse = z.union([acceptedSource, questionsResponse]);

const identifiers = (description: string) => z.array(z.string()).meta(describe(description));

export const diffResponse = z
  .strictObject({
    missing: identifiers("Unknown or deleted: send these."),
    changed: identifiers("Changed or failed: send these."),
    unchanged: identifiers("Unchanged and ready."),
    pending: identifiers("Unchanged and still processing."),
    extra: identifiers(
      `Known here and not in the request, at most ${countText(SOURCES_PER_DIFF)}. Empty without the scope \`manage\`.`,
    ),
    hasMoreExtra: z
      .boolean()
      .meta(describe("Whether more are known than `extra` lists; false without the scope `manage`.")),
  })
  .meta({ id: "DiffResponse" });

export const deleteResponse = z
  .strictObject({ deleted: z.array(z.string()).meta(describe("Identifiers of the deleted sources.")) })
  .meta({ id: "DeleteResponse" });

const verification = z
  .strictObject({
    status: z.enum(VERIFICATIONS).meta(describe("`due`: the verification expired, and the answer needs a review.")),
    by: z.string().meta(describe("The member or the API key that verified the answer.")),
    at: z.string().meta(describe("ISO 8601.")),
    until: z.string().nullable().meta(describe("The last day, in UTC; null for no end.")),
  })
  .nullable()
  .meta(describe("Of the answer to a question: a verified answer is returned word for word. Null when not verified."));

export const verificationResponse = z
  .strictObject({ id: accepted.id, sourceId: accepted.sourceId, verification })
  .meta({ id: "SourceVerification" });

export const deletedSource = z.strictObject({ id: accepted.id, sourceId: accepted.sourceId }).meta({ id: "SourceRef" });

const source = {
  id: accepted.id,
  sourceId: accepted.sourceId,
  versionId: accepted.versionId,
  title: z.string(),
  sourceType: z.enum(SOURCE_TYPES),
  status: z
    .enum(SOURCE_STATUSES)
    .meta(describe("State of the newest version. While it is processing or failed, an older one may be served.")),
  attachedTo: z
    .uuid()
    .nullable()
    .meta(
      describe(
        "The `id` of the email that this file is an attachment of. It is deleted and restored with the email. Null for an attachment that remains when its email is deleted.",
      ),
    ),
  served: z.boolean().meta(describe("Whether retrieval can return the source.")),
  error: z.string().nullable().meta(describe("Why the newest version failed.")),
  notice: z
    .string()
    .nullable()
    .meta(describe("What was left out or hard to read in the newest version, such as hidden text or a poor scan.")),
  progress: z
    .strictObject({ done: z.int(), total: z.int(), waitsFor: z.string().nullable() })
    .nullable()
    .meta(describe("How many chunks are done while the source is processing, and what is unavailable.")),
  chunks: z.int().meta(describe("Chunks of the served version.")),
  audience: z.array(z.string()),
  contentCategory: z.string(),
  path: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  verification,
  createdAt: z.string().meta(describe("ISO 8601.")),
  updatedAt: z
    .string()
    .meta(
      describe(
        "When the source last changed, ISO 8601: a version was accepted or became ready, the source was restored, or its verification was set or withdrawn. A verification that expires is no change.",
      ),
    ),
};

const { id, sourceId, versionId, status, error, notice, progress, chunks } = source;

export const sourceState = z
  .strictObject({ id, sourceId, versionId, status, error, notice, progress, chunks })
  .meta({ id: "SourceState" });

export const statusesResponse = z
  .strictObject({
    sources: z
      .array(sourceState)
      .meta(
        describe("In the order of the request. Sources that the key may not see, or that do not exist, are left out."),
      ),
  })
  .meta({ id: "StatusesResponse" });

export const listedSource = z.strictObject(source).meta({ id: "Source" });

export const listResponse = z
  .strictObject({
    sources: z.array(listedSource).meta(describe("The sources, newest change last.")),
    nextCursor: z.string().nullable().meta(describe("Send it as `cursor` for the next page; null on the last one.")),
  })
  .meta({ id: "SourceList" });

export const sourceResponse = z
  .strictObject({
    ...source,
    file: z
      .strictObject({ name: z.string(), bytes: z.int(), sha256: z.string() })
      .nullable()
      .meta(describe("The original file; null for a text.")),
    versions: z.array(
      z
        .strictObject({
          id: z.uuid(),
          number: z.int(),
          status: z.enum(["processing", "ready", "replaced", "failed"]),
          chunks: z.int(),
          error: z.string().nullable(),
          createdAt: z.string(),
        })
        .meta({ id: "SourceVersion" }),
    ),
  })
  .meta({ id: "SourceDetails" });
