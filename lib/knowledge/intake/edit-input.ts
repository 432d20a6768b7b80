import { z } from "zod";
import { countText } from "../../counted.ts";
import { DEFAULT_CATEGORY } from "../../label-changes.ts";
import { splitPath } from "../../label-text.ts";
import { sourceFilter } from "../browse/browse-query.ts";
import { SOURCES_CHANGED_AT_ONCE, UPLOADS_CHECKED_AT_ONCE } from "../limits.ts";
import { AUDIENCE_CHANGES } from "../values.ts";
import { documentInput, questionInput } from "./source-input.ts";

/** The longest text that a form sends. Longer text is uploaded as a file. */
const PASTED_CHARACTERS_MAX = 200_000;

const { audience, contentCategory, path, metadata, sourceId } = documentInput.shape;

/** Treats an empty form field as absent. */
function absentWhenEmpty<Schema extends z.ZodType<unknown, string | null | undefined>>(schema: Schema) {
  return z
    .string()
    .transform((value): string | null | undefined => value.trim() || undefined)
    .pipe(schema);
}

/** Widens the type of a list to the input type of the schemas below. */
function asGiven(list: string[] | undefined): unknown[] | null | undefined {
  return list;
}

const fields = {
  audience: z.array(z.string()),
  contentCategory: z.string(),
  /** Path segments, separated by slashes. */
  path: z.string(),
};

/** The label fields of a form that adds sources. With an empty field, an existing source keeps its label. */
export const labelsInput = z.object({
  audience: fields.audience.transform((list) => asGiven(list.length > 0 ? list : undefined)).pipe(audience),
  contentCategory: absentWhenEmpty(contentCategory),
  path: fields.path
    .transform((line) => {
      const segments = splitPath(line);
      return asGiven(segments.length > 0 ? segments : undefined);
    })
    .pipe(path),
});

export type LabelsInput = z.input<typeof labelsInput>;

/** Whether the user confirmed that sources become visible to more audiences. */
const widen = z.boolean().optional();

export const pastedTextInput = labelsInput.extend({
  widen,
  sourceId: absentWhenEmpty(sourceId),
  title: documentInput.shape.title,
  content: z
    .string()
    .max(
      PASTED_CHARACTERS_MAX,
      `must have at most ${countText(PASTED_CHARACTERS_MAX)} characters; add longer text as a file`,
    )
    .pipe(documentInput.shape.content),
});

export const writtenQuestionInput = labelsInput.extend({
  widen,
  sourceId: absentWhenEmpty(sourceId),
  question: questionInput.shape.question,
  answer: questionInput.shape.answer,
  /** One phrasing per line. */
  alternatives: z
    .string()
    .transform((lines) => asGiven(lines.split("\n").flatMap((line) => line.trim() || [])))
    .pipe(questionInput.shape.alternatives),
  /** Whether to add the question even though another source answers it. */
  keepBoth: z.boolean().optional(),
});

/** A source whose answer is replaced, and the version that was shown beside the new one. */
export const replacedAnswer = z.object({ id: z.uuid(), versionId: z.uuid() });

/** The new answer of a source, and the phrasing of its question that was given with it. */
export const mergeInput = writtenQuestionInput
  .pick({ question: true, answer: true, alternatives: true })
  .extend(replacedAnswer.shape);

/** New content of a source that was typed in, and the version that the form showed. */
export const contentInput = z.object({
  id: z.uuid(),
  versionId: z.uuid(),
  /** Whether to save a changed question even though another source answers it. */
  keepBoth: z.boolean().optional(),
  content: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("text"),
      title: documentInput.shape.title,
      content: documentInput.shape.content,
    }),
    z.object({
      kind: z.literal("qa"),
      question: questionInput.shape.question,
      answer: questionInput.shape.answer,
      alternatives: questionInput.shape.alternatives.transform((list) => list ?? []),
    }),
  ]),
});

export const versionInput = z.object({ id: z.uuid(), number: z.int().min(1) });

/** The labels of one source and its version, as its form shows them. An empty field clears the label. */
export const sourceLabelsInput = z.object({
  id: z.uuid(),
  versionId: z.uuid(),
  audience: fields.audience.transform(asGiven).pipe(audience),
  contentCategory: absentWhenEmpty(contentCategory).transform((category) => category ?? DEFAULT_CATEGORY),
  path: fields.path.transform((line) => asGiven(splitPath(line))).pipe(path),
  metadata: z
    .string()
    .transform((text, context) =>
      parseJson(text.trim() || "{}", context, 'must be JSON, for example {"owner": "Support"}'),
    )
    .pipe(metadata),
});

const ids = z.array(z.uuid()).min(1).max(SOURCES_CHANGED_AT_ONCE);

/**
 * Sources that a person chose. With the filter by which they were chosen, those that no longer pass it are left out.
 */
export const chosenSourcesInput = z.object({ ids, filter: sourceFilter.optional() });

/** A missing label keeps its value. */
export const manyLabelsInput = chosenSourcesInput.extend({
  audience,
  audienceChange: z.enum(AUDIENCE_CHANGES).default("replace"),
  /** An empty text removes the path. */
  path: fields.path
    .transform((line) => asGiven(splitPath(line)))
    .pipe(path)
    .optional(),
  contentCategory: absentWhenEmpty(contentCategory).optional(),
  widen,
});

export const undoRelabelInput = z.object({ relabelId: z.uuid() });

/** Names of files to upload, which become their identifiers. */
export const uploadCheckInput = z.object({
  names: z.array(documentInput.shape.sourceId.pipe(z.string())).max(UPLOADS_CHECKED_AT_ONCE),
  labels: labelsInput,
});

/** A query parameter that contains lists. */
const json = z.string().transform((text, context) => parseJson(text, context, "must be JSON"));

/** Query parameters of an upload. */
const uploaded = {
  name: documentInput.shape.sourceId.pipe(z.string("must not be empty")),
  labels: json.pipe(labelsInput),
};

const confirmed = { widen: z.stringbool().optional() };

export const uploadInput = z.object({
  ...uploaded,
  /** The audiences that the user confirmed for this source: it may have lost others in the meantime. */
  widenTo: json.pipe(audience).optional(),
  /** The name of the file, if it is not the last part of `name`. */
  fileName: documentInput.shape.sourceId,
});
export const importInput = z.object({
  ...confirmed,
  /** Whether answers that were verified where the export was made are verified here too. */
  keepVerifications: z.stringbool().optional(),
});
export const questionsInput = z.object({
  ...uploaded,
  ...confirmed,
  step: z.enum(["preview", "import"]),
  /** Whether rows with a question that another source answers replace the answer of that source. */
  merge: z.stringbool().optional(),
});

function parseJson(text: string, context: z.RefinementCtx, message: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }
}
