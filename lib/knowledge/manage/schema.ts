import { z } from "zod";
import { countText } from "../../counted.ts";
import { cursorInput } from "../../cursor.ts";
import { SOURCE_TYPES } from "../../db/column-values.ts";
import { instantTextInput } from "../../instant.ts";
import { textInput } from "../../text-input.ts";
import { documentInput, identifiedSource, identifier } from "../intake/source-input.ts";
import { SOURCE_ID_MAX, SOURCE_STATUSES, VERIFICATIONS } from "../values.ts";
import { verifyInput } from "../verify/schema.ts";
import { describe, SOURCES_PER_DIFF } from "./responses.ts";

/** Sources that one batch, one deletion or one request for statuses may name. */
const SOURCES_PER_BATCH = 200;
/** The largest JSON body of the management API. */
export const MANAGE_BODY_BYTES_MAX = 10 * 1024 * 1024;

/** A list that the query string may give as one value or several. */
function repeated<List extends z.ZodType>(list: List) {
  return z.preprocess((value) => (typeof value === "string" ? [value] : value), list);
}

/** The same, where one empty value is the empty list. */
function repeatedOrEmpty<List extends z.ZodType>(list: List) {
  return z.preprocess((value) => (value === "" ? [] : value), repeated(list));
}

const { audience, contentCategory, path, metadata } = documentInput.shape;
const sourceId = identifier.meta(
  describe("Your own identifier of the source. Sending the same identifier again replaces the source."),
);

const label = textInput().max(200, "must have at most 200 characters");
const prefix = textInput().max(SOURCE_ID_MAX, `must have at most ${SOURCE_ID_MAX} characters`);

export const sourceParams = z.object({ id: z.uuid().toLowerCase() });

export const putSourceRequest = identifiedSource.meta({ id: "PutSource" });

export const batchRequest = z
  .object({
    sources: z
      .array(identifiedSource)
      .min(1, "must not be empty")
      .max(SOURCES_PER_BATCH, `must have at most ${SOURCES_PER_BATCH} sources`)
      .meta(describe("The sources. Valid sources are accepted even when others fail.")),
  })
  .meta({ id: "PutBatch" });

/** A source of a batch that was checked alone, with the identifier that an invalid one may have. */
const checkedSource = z.unknown().transform((given) => ({
  sourceId: z.object({ sourceId: identifier }).safeParse(given).data?.sourceId,
  parsed: identifiedSource.safeParse(given),
}));

export type CheckedSource = z.output<typeof checkedSource>;

/** Like `batchRequest`, but valid sources are accepted even when others are not. */
export const batchInput = batchRequest.extend({
  sources: z
    .array(checkedSource, "must be an array")
    .min(1, "must not be empty")
    .max(SOURCES_PER_BATCH, `must have at most ${SOURCES_PER_BATCH} sources`),
});

/** A truth value of the query string, and its description. */
function flag(description: string) {
  return z
    .stringbool("must be true or false")
    .optional()
    .meta({ description, override: { enum: ["true", "false"] } });
}

/** Confirms that sources of a batch become visible to more audiences. */
export const widenQuery = z.object({
  widen: flag("Allow existing sources to become visible to more audiences."),
});

/** Confirms that a new question may become a phrasing of a source that answers it already. */
export const mergeQuery = z.object({
  merge: flag(
    "A new question that another source already has becomes a phrasing of that source, and its answer replaces the old one. That source keeps its labels. Both are kept if more audiences would see the answer, if you send another `path` or `contentCategory`, or if that source would have more than 50 other phrasings.",
  ),
});

export const batchQuery = widenQuery.extend(mergeQuery.shape);

const json = z.string("must be a string").transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message: "must be JSON" });
    return z.NEVER;
  }
});

/** Query string of a file. */
export const fileQuery = batchQuery.extend({
  sourceId: sourceId.optional().meta(describe("Your own identifier. Required unless a form names its file.")),
  audience: repeatedOrEmpty(audience).meta(
    describe("Repeat the parameter for several audiences. `audience=` is the empty list."),
  ),
  contentCategory: contentCategory,
  path: repeatedOrEmpty(path).meta(describe("Repeat the parameter for each segment. `path=` is the empty list.")),
  metadata: json.pipe(metadata).optional().meta(describe("A JSON object.")),
  as: z
    .literal("questions", 'must be "questions"')
    .optional()
    .meta(describe("`questions`: read a CSV or Excel file as questions with answers, one source per row.")),
});

const fileLabels = z.object(
  { sourceId: sourceId.nullish(), audience, contentCategory, path, metadata },
  "must be an object",
);
/** The part `labels` of a form. */
export const fileLabelsInput = json.pipe(fileLabels);

/** The names in the part `labels` of a form that no label has. */
export function unknownLabels(text: string): string[] {
  return Object.keys(Object(JSON.parse(text))).filter((name) => !Object.hasOwn(fileLabels.shape, name));
}

export const verifyRequest = z
  .object({
    until: verifyInput.shape.until
      .optional()
      .transform((day) => day ?? null)
      .meta(describe("The last day, in UTC, such as `2027-06-30`. Without it, the verification has no end.")),
  })
  .meta({ id: "VerifySource" });

export const labelsRequest = z.object({ audience, contentCategory, path, metadata }).meta({ id: "SourceLabels" });

const sha256 = z
  .string("must be a string")
  .max(64)
  .regex(/^[0-9a-f]{64}$/i, "must be a SHA-256 in hexadecimal")
  .toLowerCase();

export const diffRequest = z
  .object({
    prefix: prefix
      .nullish()
      .transform((value) => value ?? undefined)
      .meta(describe("Report only sources whose identifier starts with this text as `extra`.")),
    sources: z
      .array(z.object({ sourceId, sha256 }), "must be an array")
      .max(SOURCES_PER_DIFF, `must have at most ${countText(SOURCES_PER_DIFF)} sources`)
      .meta(
        describe(
          "What you have. `sha256` in hexadecimal: of the bytes of a file; of title, blank line, content of a document; of question, blank line, answer (and blank line, alternative for each) of a question and answer. Hash each text as Ragstone stores it: trimmed, with U+FFFD for U+0000.",
        ),
      ),
  })
  .meta({ id: "DiffRequest" });

export const statusesRequest = z
  .object({
    ids: z
      .array(z.uuid("must be an id of Ragstone").toLowerCase(), "must be an array")
      .min(1, "must not be empty")
      .max(SOURCES_PER_BATCH, `must have at most ${SOURCES_PER_BATCH} ids`)
      .meta(describe("Ragstone's ids of the sources.")),
  })
  .meta({ id: "StatusesRequest" });

export const deleteRequest = z
  .object({
    sourceIds: z
      .array(sourceId, "must be an array")
      .max(SOURCES_PER_BATCH, `must have at most ${SOURCES_PER_BATCH} identifiers`)
      .nullish()
      .meta(describe("Identifiers of the sources to delete.")),
    prefix: prefix
      .min(1, "must not be empty")
      .nullish()
      .meta(describe("Delete all sources whose identifier starts with this text.")),
    except: z
      .array(sourceId, "must be an array")
      .max(SOURCES_PER_DIFF, `must have at most ${countText(SOURCES_PER_DIFF)} identifiers`)
      .nullish()
      .meta(
        describe(
          "With `prefix`: identifiers to keep. An attachment among them remains when its email is deleted, as a source of its own.",
        ),
      ),
    confirm: z
      .int("must be a whole number")
      .min(0)
      .nullish()
      .meta(
        describe(
          "The number of sources that will be deleted. With another number nothing is deleted, and the 422 response has the right one.",
        ),
      ),
  })
  .refine(({ sourceIds, prefix }) => Boolean(sourceIds) !== Boolean(prefix), {
    error: "must have either sourceIds or prefix",
    path: ["sourceIds"],
  })
  .meta({ id: "DeleteRequest" });

export const listQuery = z.object({
  sourceId: identifier.optional(),
  prefix: prefix.optional(),
  search: textInput().trim().max(200, "must have at most 200 characters").optional(),
  type: z.enum(SOURCE_TYPES, `must be ${SOURCE_TYPES.join(" or ")}`).optional(),
  audience: label.optional(),
  contentCategory: label.optional(),
  path: repeated(z.array(label).max(50).optional()),
  status: z.enum(SOURCE_STATUSES, `must be one of ${SOURCE_STATUSES.join(", ")}`).optional(),
  verification: z
    .enum(VERIFICATIONS, `must be one of ${VERIFICATIONS.join(", ")}`)
    .optional()
    .meta(describe("Only answers with this verification; `due` lists those that wait for a review.")),
  updatedAfter: instantTextInput
    .optional()
    .meta(
      describe(
        "Only sources that changed later. Changes that are stored together have the time at which storing began, so ask again from a minute before the newest `updatedAt` you know.",
      ),
    ),
  limit: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(200, "must be at most 200")
    .default(50),
  cursor: cursorInput(z.tuple([instantTextInput, z.uuid()])).optional(),
});

export type ListQuery = z.output<typeof listQuery>;
