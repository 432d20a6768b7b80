import { z } from "zod";
import { SOURCE_TYPES } from "../db/column-values.ts";
import { MAX_ISSUES } from "../errors.ts";
import { shortened } from "../text.ts";
import { textInput, upToLength } from "../text-input.ts";
import { metadataFilter } from "./metadata-filter.ts";

const RETURN_MODES = ["ai_generated_answer", "chunks_only"] as const;
export const MAX_QUERY_LENGTH = 8000;
export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 10;
/** Limit for one filter. */
export const MAX_FILTER_VALUES = 50;
export const MAX_LABEL_LENGTH = 200;
/** Unknown filters that an error lists, so that it never becomes longer than the request. */
const MAX_NAMED = 5;

/** Absent and `null` are the same: CRMs send nulls. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
}

function withDefault<Schema extends z.ZodType, Value extends z.output<Schema>>(schema: Schema, value: Value) {
  return schema.nullish().transform((given): z.output<Schema> => given ?? value);
}

/** An empty list restricts nothing, like a missing one. */
function anyOf<Item>(items: Item[] | null | undefined): Item[] | undefined {
  return items?.length ? items : undefined;
}

/** The same maximum length as a label of a source. */
const label = (message?: string) =>
  textInput(message).max(MAX_LABEL_LENGTH, `must have at most ${MAX_LABEL_LENGTH} characters`);
const atMost = (count: number) => `must have at most ${count} values`;
const labels = z.array(label(), "must be an array of strings").max(MAX_FILTER_VALUES, atMost(MAX_FILTER_VALUES));

/** Context fields have no limit of their own; the body limit applies. */
const text = textInput();
const texts = z.preprocess(upToLastIssue, z.array(text, "must be an array of strings"));
const contextText = (description: string) => optional(text).meta({ description });

const sourceType = z.enum(SOURCE_TYPES, `must be one of ${quoted(SOURCE_TYPES)}`);

const filterShape = {
  sourceTypes: z
    .array(sourceType, `must be an array of ${quoted(SOURCE_TYPES)}`)
    .max(MAX_FILTER_VALUES, atMost(MAX_FILTER_VALUES))
    .nullish()
    .transform(anyOf)
    .optional()
    .meta({ description: "Only sources of these types. An empty array restricts nothing.", example: ["document"] }),
  audience: optional(label('must be one string, for example "ai_agent"')).meta({
    description: "Only chunks meant for this audience.",
    example: "ai_agent",
  }),
  contentCategory: z
    .union([label(), labels], {
      error: ({ input }) =>
        Array.isArray(input) && input.length > MAX_FILTER_VALUES
          ? atMost(MAX_FILTER_VALUES)
          : "must be a string or an array of strings",
    })
    .nullish()
    .transform((value) => anyOf(typeof value === "string" ? [value] : value))
    .optional()
    .meta({
      description: "Only chunks of this category, or of any of these. An empty array restricts nothing.",
      example: "policy",
    }),
  path: labels
    .nullish()
    .transform(anyOf)
    .optional()
    .meta({
      description: "Only sources whose hierarchical path begins with these segments.",
      example: ["Support", "Billing"],
    }),
  metadata: optional(metadataFilter).meta({
    description:
      "Only sources whose metadata meets these conditions: a value, a list of values, or operators (`eq`, `ne`, `gt`, `gte`, `lt`, `lte`, `in`, `nin`, `contains`, `notContains`, `startsWith`, `endsWith`, `exists`, `notExists`, `before`, `after`). All fields must match; `and`, `or` and `not` combine conditions.",
    example: { region: "EU", year: { gte: 2024 } },
  }),
};

export const retrieveFilters = z
  .strictObject(filterShape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown filter ${quoted(issue.keys.slice(0, MAX_NAMED).map((key) => shortened(key, MAX_LABEL_LENGTH)))}; use one of ${quoted(Object.keys(filterShape))}`
        : "must be an object",
  })
  .meta({ id: "RetrieveFilters", outputId: "EffectiveRetrieveFilters", description: "Narrows the search." });

/** The body of `POST /v1/api/rag/retrieve`: fills in defaults, treats `null` as absent and drops unknown fields. */
export const retrieveRequest = z
  .object(
    {
      queryText: upToLength(
        textInput({
          error: ({ input }) =>
            input === undefined || input === null ? "is required: send the question as a string" : "must be a string",
        })
          .trim()
          .min(1, "must not be empty: send the question as a string"),
        MAX_QUERY_LENGTH,
        `must have at most ${MAX_QUERY_LENGTH} characters: shorten the question`,
      ).meta({
        description: `The question: 1 to ${MAX_QUERY_LENGTH} characters after trimming.`,
        example: "How do I cancel my contract?",
        override: { pattern: "\\S" },
      }),
      filters: withDefault(retrieveFilters, {}).meta({ description: "Narrows the search." }),
      scoreThreshold: optional(
        z
          .number("must be a number from 0 to 1, for example 0.5")
          .min(0, "must be at least 0")
          .max(1, "must be at most 1"),
      ).meta({
        description:
          "Only results whose `score` is at least this. Without it, the company's own setting applies, which is 0 unless an admin changed it.",
        override: { default: 0 },
        example: 0.3,
      }),
      returnMode: withDefault(z.enum(RETURN_MODES, `must be one of ${quoted(RETURN_MODES)}`), "chunks_only").meta({
        description: "`ai_generated_answer` adds an answer made from the results.",
        override: { default: "chunks_only" },
        example: "chunks_only",
      }),
      limit: withDefault(
        z
          .int(`must be a whole number from 1 to ${MAX_LIMIT}, for example ${DEFAULT_LIMIT}`)
          .min(1, "must be at least 1")
          .max(MAX_LIMIT, `must be at most ${MAX_LIMIT}`),
        DEFAULT_LIMIT,
      ).meta({ description: "Maximum number of results.", override: { default: DEFAULT_LIMIT }, example: 5 }),
      useRerank: optional(z.boolean("must be true or false")).meta({
        description:
          "Reranks the best results by comparing each with the question. Without it, the company's own setting applies, which is false unless an admin changed it.",
        override: { default: false },
        example: false,
      }),
      companyName: contextText("Company name, as context of the answer."),
      companyProductsNames: optional(texts).meta({ description: "Company product names, as context of the answer." }),
      clientName: contextText("Client name, to personalise the answer."),
      clientServices: contextText("Client's active services, for example a comma-separated list."),
      clientCurrentChatHistory: contextText(
        "The current chat with the client. With an AI answer, it completes a follow-up question before the search.",
      ),
      clientOlderChatHistory: contextText("Earlier chats with the client."),
      clientPaymentHistory: contextText("The client's payments."),
      clientLogs: contextText("The client's logs."),
    },
    "must be a JSON object",
  )
  .meta({ id: "RetrieveRequest", outputId: "EffectiveRetrieveRequest" });

export type RetrieveFilters = z.output<typeof retrieveFilters>;
export type RetrieveRequest = z.output<typeof retrieveRequest>;
/** The body as callers write it: only `queryText` is required. */
export type RetrieveInput = z.input<typeof retrieveRequest>;

const resultPayload = z
  .strictObject({
    companyId: z.uuid().meta({ description: "The company that owns the chunk." }),
    audience: z.array(z.string()).meta({ description: "The audiences the chunk is meant for.", example: ["ai_agent"] }),
    contentCategory: z.string().meta({ description: "Category of the content.", example: "policy" }),
    content: z.string().meta({ description: "Text of the chunk." }),
    sourceType: z.enum(SOURCE_TYPES).meta({ description: "Type of source.", example: "document" }),
    sourceId: z.string().meta({ description: "The source's identifier, as it was given.", example: "terms/cancel.md" }),
    title: z.string().meta({ description: "Title of the source.", example: "Cancelling a contract" }),
    path: z.array(z.string()).meta({ description: "Hierarchical path.", example: ["Support", "Contracts"] }),
    metadata: z.record(z.string(), z.unknown()).meta({
      description:
        "Additional data, such as `fileName`, `page`, `headings` and `alsoIn`, and `outdated` in an older version of a document.",
      example: { page: 3 },
    }),
  })
  .meta({ id: "ResultPayload" });

const retrieveResult = z
  .strictObject({
    id: z.uuid().meta({ description: "Identifier of the chunk. It stays the same as long as the chunk's text does." }),
    score: z.number().min(0).max(1).meta({
      description:
        "Similarity, higher is better. Where the company calibrates its scores: the chance that the result is from the right source.",
      example: 0.82,
    }),
    payload: resultPayload,
  })
  .meta({ id: "RetrieveResult" });

/** The 200 body of `POST /v1/api/rag/retrieve`: exactly these fields. */
export const retrieveResponse = z
  .strictObject({
    aiGeneratedAnswer: z.string().optional().meta({
      description: "Present exactly when `returnMode` is `ai_generated_answer`. Cites the results as `[1]`, `[2]`….",
      example: "You can cancel with thirty days' notice, in writing [1].",
    }),
    results: z.array(retrieveResult).max(MAX_LIMIT).meta({ description: "In descending order of `score`." }),
    total: z.int().min(0).meta({ description: "The number of results returned.", example: 1 }),
    retrievalTimeMs: z
      .int()
      .min(0)
      .meta({ description: "Time of the search in milliseconds, without the answer.", example: 24 }),
  })
  .meta({ id: "RetrieveResponse" });

export type RetrieveResponse = z.output<typeof retrieveResponse>;
export type RetrieveResult = z.output<typeof retrieveResult>;

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

/** Ends a long list at the last refused item that an error names, so that the schema does not make a million issues. */
function upToLastIssue(items: string[]): string[] {
  if (!Array.isArray(items)) return items;
  let refused = 0;
  const last = items.findIndex((item) => typeof item !== "string" && ++refused === MAX_ISSUES);
  return last < 0 ? items : items.slice(0, last + 1);
}
