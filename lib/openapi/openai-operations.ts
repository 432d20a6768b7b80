import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { openAiError } from "../adapters/openai/errors.ts";
import * as schema from "../adapters/openai/schema.ts";
import { AppError, type ErrorName } from "../errors.ts";
import { API_ERRORS } from "../http/error-schema.ts";
import { BODY_ERRORS, commonHeaders, type DescribedOperation, keyErrors, keyHeaders } from "./responses.ts";

/** Marks the operations in the format of OpenAI, which `@ragstone/client` does not have. */
export const OPENAI_TAG = "OpenAI vector stores";

interface Described extends DescribedOperation {
  body?: { schema: z.ZodType; example: object } | "file";
  response: z.ZodType;
}

const FORM = {
  "multipart/form-data": {
    schema: z.object({ purpose: schema.uploadParts.shape.purpose, file: z.string().meta({ format: "binary" }) }),
  },
};
const byStore = { path: schema.storePath };
const byFile = { path: schema.filePath };
const byUpload = { path: schema.uploadPath };
const EXAMPLE_ID = `file-${"0123456789abcdef".repeat(2)}`;

function operation({ operationId, scope, params, body, response, ...texts }: Described): ZodOpenApiOperationObject {
  const json = typeof body === "object" && { "application/json": { schema: body.schema, example: body.example } };
  return {
    operationId,
    tags: [OPENAI_TAG],
    summary: `OpenAI: ${texts.summary}`,
    description: `${texts.description} Needs the scope \`${scope}\`.`,
    security: [{ apiKey: [] }],
    "x-required-scope": scope,
    ...(params && { requestParams: params }),
    ...(body && { requestBody: { required: true, content: json || FORM } }),
    responses: {
      200: {
        description: "Done",
        headers: z.object(keyHeaders),
        content: { "application/json": { schema: response } },
      },
      ...errorResponses([...keyErrors, ...(params ? (["NotFound"] as const) : []), ...(body ? BODY_ERRORS : [])]),
    },
  };
}

/** Errors in the form that OpenAI's clients read, one response per status. */
function errorResponses(names: ErrorName[]): ZodOpenApiResponsesObject {
  const errors = API_ERRORS.filter(({ error }) => names.includes(error)).map(({ error, example, when }) => {
    const { status, body } = openAiError(new AppError(error, example.message));
    return { error, status, when, body };
  });
  return Object.fromEntries(
    [...Map.groupBy(errors, ({ status }) => status)].map(([status, group]) => [
      status,
      {
        description: group.map(({ when }) => when).join(", or: "),
        headers: z.object(commonHeaders),
        content: {
          "application/json": {
            schema: schema.openAiErrorBody,
            examples: Object.fromEntries(group.map(({ error, body }) => [error, { value: body }])),
          },
        },
      },
    ]),
  );
}

const STORE = "/api/openai/vector_stores";

/** The paths for OpenAI's clients, in the order of the reference. */
export const openAiPaths: ZodOpenApiPathsObject = {
  [STORE]: {
    get: operation({
      operationId: "openAiListVectorStores",
      summary: "list vector stores",
      description: "Returns the one vector store of the company.",
      scope: "retrieve",
      response: schema.vectorStoreList,
    }),
  },
  [`${STORE}/{storeId}`]: {
    get: operation({
      operationId: "openAiGetVectorStore",
      summary: "get a vector store",
      description: "Describes the vector store. The counts are those of the sources that the key's policy allows.",
      scope: "retrieve",
      params: byStore,
      response: schema.vectorStore,
    }),
  },
  [`${STORE}/{storeId}/search`]: {
    post: operation({
      operationId: "openAiSearch",
      summary: "search a vector store",
      description:
        "Returns one entry for each chunk, best first. Each query counts as a request; more queries than the rate limit are refused.",
      scope: "retrieve",
      params: byStore,
      body: {
        schema: schema.vectorSearchInput,
        example: { query: "How do I cancel my contract?", max_num_results: 5 },
      },
      response: schema.vectorSearchPage,
    }),
  },
  "/api/openai/files": {
    post: operation({
      operationId: "openAiUploadFile",
      summary: "upload a file",
      description: "Holds a file of up to 50 MB for an hour, until it is attached.",
      scope: "ingest",
      body: "file",
      response: schema.uploadedFile,
    }),
    get: operation({
      operationId: "openAiListUploads",
      summary: "list uploaded files",
      description: "Lists the files that this key has uploaded and not attached yet.",
      scope: "ingest",
      params: { query: schema.uploadsQuery },
      response: schema.uploadedFileList,
    }),
  },
  "/api/openai/files/{fileId}": {
    get: operation({
      operationId: "openAiGetFile",
      summary: "get a file",
      description: "Describes a file that is held, or the source that it has become.",
      scope: "ingest",
      params: byUpload,
      response: schema.uploadedFile,
    }),
    delete: operation({
      operationId: "openAiDeleteFile",
      summary: "delete a file",
      description: "Deletes a file that is held, or the source that it has become.",
      scope: "manage",
      params: byUpload,
      response: schema.deletedFile,
    }),
  },
  [`${STORE}/{storeId}/files`]: {
    post: operation({
      operationId: "openAiAttachFile",
      summary: "attach a file",
      description:
        "Makes a source of an uploaded file, under the same ID. If a source has the file's name, or its `source_id`, the file replaces it and gets its ID.",
      scope: "ingest",
      params: byStore,
      body: {
        schema: schema.attachInput,
        example: { file_id: EXAMPLE_ID, attributes: { source_id: "policies/notice.pdf", region: "EU" } },
      },
      response: schema.vectorStoreFile,
    }),
    get: operation({
      operationId: "openAiListFiles",
      summary: "list attached files",
      description: "Lists the sources that the key's policy allows.",
      scope: "manage",
      params: { ...byStore, query: schema.filesQuery },
      response: schema.vectorStoreFileList,
    }),
  },
  [`${STORE}/{storeId}/files/{fileId}`]: {
    get: operation({
      operationId: "openAiFollowFile",
      summary: "follow an attached file",
      description: "Describes a source with its status: `in_progress`, `completed` or `failed`.",
      scope: "ingest",
      params: byFile,
      response: schema.vectorStoreFile,
    }),
    post: operation({
      operationId: "openAiUpdateFile",
      summary: "update attributes",
      description: "Replaces the metadata of a source by `attributes`. A label that is not given stays.",
      scope: "ingest",
      params: byFile,
      body: { schema: schema.attributesUpdate, example: { attributes: { region: "EU", year: 2024 } } },
      response: schema.vectorStoreFile,
    }),
    delete: operation({
      operationId: "openAiDetachFile",
      summary: "detach a file",
      description: "Deletes the source. It can be restored for 24 hours.",
      scope: "manage",
      params: byFile,
      response: schema.deletedFile,
    }),
  },
  [`${STORE}/{storeId}/files/{fileId}/content`]: {
    get: operation({
      operationId: "openAiReadFile",
      summary: "read an attached file",
      description: "Returns the text that retrieval serves.",
      scope: "manage",
      params: byFile,
      response: schema.fileContentPage,
    }),
  },
};
