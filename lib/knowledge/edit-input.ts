import { z } from "zod";
import { documentInput, questionInput } from "./source-input.ts";

/** As a form can send it in one go; what is longer comes as a file. */
export const PASTED_CHARACTERS_MAX = 200_000;

const { audience, contentCategory, path, metadata, sourceId } = documentInput.shape;

/** An empty field of a form is an absent one. */
function absentWhenEmpty<Schema extends z.ZodType<unknown, string | null | undefined>>(schema: Schema) {
  return z
    .string()
    .transform((value): string | null | undefined => value.trim() || undefined)
    .pipe(schema);
}

/** For a schema that takes anybody's list. */
function asGiven(list: string[]): unknown[] | null | undefined {
  return list;
}

/** Labels as forms hold them: the path as one line, its segments between slashes. */
export const labelsInput = z.object({
  audience: z.array(z.string()).transform(asGiven).pipe(audience),
  contentCategory: absentWhenEmpty(contentCategory),
  path: z
    .string()
    .transform((line) => asGiven(segmentsOf(line)))
    .pipe(path),
});

export type LabelsInput = z.input<typeof labelsInput>;

/** "Support / Manuals" as its segments. */
export function segmentsOf(line: string): string[] {
  return line
    .split("/")
    .map((segment) => segment.trim())
    .filter((segment) => segment !== "");
}

export const pastedTextInput = labelsInput.extend({
  sourceId: absentWhenEmpty(sourceId),
  title: documentInput.shape.title,
  content: z
    .string()
    .max(
      PASTED_CHARACTERS_MAX,
      `must have at most ${PASTED_CHARACTERS_MAX.toLocaleString("en")} characters; add longer ones as a file`,
    )
    .pipe(documentInput.shape.content),
});

export const writtenQuestionInput = labelsInput.extend({
  sourceId: absentWhenEmpty(sourceId),
  question: questionInput.shape.question,
  answer: questionInput.shape.answer,
  /** One a line. */
  alternatives: z
    .string()
    .transform((lines) => asGiven(lines.split("\n").flatMap((line) => line.trim() || [])))
    .pipe(questionInput.shape.alternatives),
});

export const sourceLabelsInput = labelsInput.extend({
  id: z.uuid(),
  metadata: z
    .string()
    .transform((text, context) =>
      parseJson(text.trim() || "{}", context, 'must be JSON, for example {"owner": "Support"}'),
    )
    .pipe(metadata),
});

export const sourceIdInput = z.object({ id: z.uuid() });

const ids = z.array(z.uuid()).min(1).max(200);
export const sourceIdsInput = z.object({ ids });

/** What is absent stays as it is. */
export const manyLabelsInput = z.object({
  ids,
  audience,
  contentCategory: absentWhenEmpty(contentCategory).optional(),
});

/** In the address of an upload: the labels are JSON, because they hold lists. */
const uploaded = {
  name: documentInput.shape.sourceId.pipe(z.string("must not be empty")),
  labels: z
    .string()
    .transform((text, context) => parseJson(text, context, "must be JSON"))
    .pipe(labelsInput),
};

export const uploadInput = z.object(uploaded);
export const questionsInput = z.object({ ...uploaded, step: z.enum(["preview", "import"]) });

function parseJson(text: string, context: z.RefinementCtx, message: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }
}
