import { z } from "zod";
import { identifier } from "../../knowledge/intake/source-input.ts";
import { DEFAULT_LIMIT, MAX_QUERY_LENGTH } from "../../retrieval/schema.ts";
import { textInput, upToLength } from "../../text-input.ts";
import { attributes, attributesInput } from "./attributes.ts";
import { openAiFilters } from "./filters.ts";
import { fileIdInput } from "./ids.ts";

const MAX_QUERIES = 8;
const SOME_QUERIES = `must have 1 to ${MAX_QUERIES} queries`;
const MAX_RESULTS = 50;
const MAX_FILES_PER_PAGE = 100;
const DEFAULT_FILES_PER_PAGE = 20;
const MAX_ID_LENGTH = 100;

const query = upToLength(
  textInput("must be a string or an array of strings").trim().min(1, "must not be empty"),
  MAX_QUERY_LENGTH,
  `must have at most ${MAX_QUERY_LENGTH} characters`,
);

/** The body of `POST /vector_stores/{id}/search`. */
export const vectorSearchInput = z
  .object({
    query: z
      .union([query, z.array(query).min(1, SOME_QUERIES).max(MAX_QUERIES, SOME_QUERIES)], {
        error: ({ input }) =>
          Array.isArray(input) && (input.length === 0 || input.length > MAX_QUERIES)
            ? SOME_QUERIES
            : "must be a string or an array of strings",
      })
      .transform((given) => [given].flat()),
    max_num_results: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(MAX_RESULTS, `must be at most ${MAX_RESULTS}`)
      .nullish()
      .transform((given) => given ?? DEFAULT_LIMIT),
    ranking_options: z
      .object(
        {
          ranker: z.enum(["none", "auto", "default-2024-11-15"]).nullish(),
          score_threshold: z.number("must be a number from 0 to 1").min(0).max(1).nullish(),
        },
        "must be an object",
      )
      .nullish(),
    rewrite_query: z.boolean("must be true or false").nullish(),
    filters: openAiFilters.nullish(),
  })
  .meta({ id: "OpenAiSearch" });

export type VectorSearch = z.output<typeof vectorSearchInput>;

const content = z.array(z.strictObject({ type: z.literal("text"), text: z.string() }));

export const vectorSearchPage = z
  .strictObject({
    object: z.literal("vector_store.search_results.page"),
    search_query: z.array(z.string()),
    data: z.array(
      z.strictObject({ file_id: z.string(), filename: z.string(), score: z.number(), attributes, content }),
    ),
    has_more: z.literal(false),
    next_page: z.null(),
  })
  .meta({ id: "OpenAiSearchPage" });

export const vectorStore = z
  .strictObject({
    id: z.string(),
    object: z.literal("vector_store"),
    created_at: z.int(),
    name: z.string(),
    status: z.enum(["in_progress", "completed"]),
    usage_bytes: z.int(),
    file_counts: z.strictObject({
      in_progress: z.int(),
      completed: z.int(),
      failed: z.int(),
      cancelled: z.literal(0),
      total: z.int(),
    }),
    last_active_at: z.int().nullable(),
    metadata: z.strictObject({}),
  })
  .meta({ id: "OpenAiVectorStore" });

export const vectorStoreList = z
  .strictObject({
    object: z.literal("list"),
    data: z.array(vectorStore),
    first_id: z.string(),
    last_id: z.string(),
    has_more: z.literal(false),
  })
  .meta({ id: "OpenAiVectorStoreList" });

export const vectorStoreFile = z
  .strictObject({
    id: z.string(),
    object: z.literal("vector_store.file"),
    created_at: z.int(),
    vector_store_id: z.string(),
    status: z.enum(["in_progress", "completed", "failed", "cancelled"]),
    last_error: z.strictObject({ code: z.literal("invalid_file"), message: z.string() }).nullable(),
    usage_bytes: z.int(),
    attributes,
  })
  .meta({ id: "OpenAiVectorStoreFile" });

export const vectorStoreFileList = z
  .strictObject({
    object: z.literal("list"),
    data: z.array(vectorStoreFile),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: "OpenAiVectorStoreFileList" });

export const fileContentPage = z
  .strictObject({
    object: z.literal("vector_store.file_content.page"),
    data: content,
    has_more: z.literal(false),
    next_page: z.null(),
  })
  .meta({ id: "OpenAiFileContent" });

/** The body of every error. */
export const openAiErrorBody = z
  .strictObject({
    error: z.strictObject({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  })
  .meta({ id: "OpenAiError" });

const storeId = z.string().max(MAX_ID_LENGTH);
export const storePath = z.object({ storeId });
export const filePath = z.object({ storeId, fileId: fileIdInput });

/** The body of `POST /vector_stores/{id}/files`. */
export const attachInput = z
  .object({ file_id: fileIdInput, attributes: attributesInput.nullish() })
  .meta({ id: "OpenAiAttach" });

/** The body of `POST /vector_stores/{id}/files/{file_id}`. */
export const attributesUpdate = z
  .object({ attributes: attributesInput.nullable() })
  // the document takes a preprocessed field for an optional one
  .meta({ id: "OpenAiAttributes", override: { required: ["attributes"] } });

export const uploadPath = z.object({ fileId: fileIdInput });

/** The parts of the form of `POST /files`, besides the file. */
export const uploadParts = z.object({
  file: z.preprocess((name) => name ?? undefined, identifier),
  purpose: textInput("must be a string").trim().min(1, "must not be empty").max(64, "must have at most 64 characters"),
});

export const uploadedFile = z
  .strictObject({
    id: z.string(),
    object: z.literal("file"),
    bytes: z.int(),
    created_at: z.int(),
    expires_at: z.int().nullable(),
    filename: z.string(),
    purpose: z.string(),
    status: z.enum(["uploaded", "processed", "error"]),
    status_details: z.string().nullable(),
  })
  .meta({ id: "OpenAiFile" });

export const uploadedFileList = z
  .strictObject({
    object: z.literal("list"),
    data: z.array(uploadedFile),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: "OpenAiFileList" });

export const deletedFile = z
  .strictObject({
    id: z.string(),
    object: z.enum(["file", "vector_store.file.deleted"]),
    deleted: z.literal(true),
  })
  .meta({ id: "OpenAiDeletedFile" });

const wholeNumber = z
  .string("must be given once")
  .regex(/^\d{1,3}$/, "must be a whole number")
  .transform(Number);

const pageQuery = z.object({
  after: fileIdInput.optional(),
  limit: wholeNumber
    .refine(
      (limit) => limit >= 1 && limit <= MAX_FILES_PER_PAGE,
      `must be a whole number from 1 to ${MAX_FILES_PER_PAGE}`,
    )
    .optional()
    .transform((limit) => limit ?? DEFAULT_FILES_PER_PAGE),
  order: z
    .enum(["asc", "desc"], 'must be "asc" or "desc"')
    .optional()
    .transform((order) => order ?? "desc"),
});

/** The query string of `GET /files`. */
export const uploadsQuery = pageQuery;

/** The query string of `GET /vector_stores/{id}/files`. */
export const filesQuery = pageQuery.extend({
  before: fileIdInput.optional(),
  filter: z
    .enum(["in_progress", "completed", "failed", "cancelled"], "must be in_progress, completed, failed or cancelled")
    .optional(),
});

export type FilesQuery = z.output<typeof filesQuery>;
