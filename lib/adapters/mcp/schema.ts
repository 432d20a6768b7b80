import { z } from "zod";
import { countText } from "../../counted.ts";
import { SOURCE_TYPES } from "../../db/column-values.ts";
import { MAX_FILTER_VALUES, MAX_LABEL_LENGTH } from "../../retrieval/schema.ts";
import { textInput, upToLength } from "../../text-input.ts";

const QUESTION_LENGTH_MAX = 8_000;
const ID_LENGTH_MAX = 100;

const question = upToLength(
  textInput().trim().min(1, "must not be empty"),
  QUESTION_LENGTH_MAX,
  `must have at most ${countText(QUESTION_LENGTH_MAX)} characters`,
);
const labels = z.array(textInput().max(MAX_LABEL_LENGTH)).max(MAX_FILTER_VALUES);
const url = z.string().describe("Where a person can read it.");

export const searchInput = z.object({ query: question.describe("What to look for, as a question or as keywords.") });

export const searchOutput = z.object({
  results: z.array(
    z.object({
      id: z.string().describe("For the tool `fetch`."),
      title: z.string(),
      url,
      text: z.string().describe("The beginning of the chunk."),
    }),
  ),
});

export const fetchInput = z.object({ id: textInput().max(ID_LENGTH_MAX).describe("The `id` of a search result.") });

export const fetchOutput = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string().describe("The text of the source, or the part around the result when it is long."),
  url,
  metadata: z.object({
    sourceId: z.string(),
    sourceType: z.enum(SOURCE_TYPES),
    path: z.array(z.string()),
    page: z.number().optional(),
    truncated: z.boolean(),
  }),
});

/** Treats `null` as absent, because assistants fill in every argument. The published schema does not offer it to them. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => value ?? undefined, schema.optional());
}

export const askInput = z.object({
  question: question.describe("A question that can be understood by itself."),
  limit: optional(z.int().min(1).max(100)).describe("How many results the answer may use."),
  sourceTypes: optional(z.array(z.enum(SOURCE_TYPES)).max(MAX_FILTER_VALUES)),
  contentCategory: optional(labels),
  path: optional(labels).describe("The beginning of the path of the sources to use."),
});

export const askOutput = z.object({
  answer: z.string().describe("Made from the results alone; cites them as [1], [2]…"),
  results: z.array(z.object({ n: z.int(), id: z.string(), title: z.string(), url, score: z.number() })),
});
