import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject } from "zod-openapi";
import { statusResponse } from "../api-keys/schema.ts";
import { retrieveRequest, retrieveResponse } from "../retrieval/schema.ts";
import { singleton } from "../singleton.ts";
import * as examples from "./examples.ts";
import { openAiPaths } from "./openai-operations.ts";
import {
  commonHeaders,
  errorResponses,
  HTTP_ERRORS,
  header,
  ignoredFields,
  keyErrors,
  keyHeaders,
} from "./responses.ts";
import { sourcePaths } from "./source-operations.ts";
import { streamExample } from "./stream-examples.ts";

const retrievalHeaders = {
  ...keyHeaders,
  "Server-Timing": header("Milliseconds of each stage of the search."),
  ...ignoredFields,
  "X-Ragstone-Search-Query": header(
    "What was searched, percent-encoded, when the question was completed from `clientCurrentChatHistory`.",
  ),
  "X-Ragstone-Truncated-Fields": header("Context fields that were shortened to fit the prompt."),
  "X-Vercel-AI-UI-Message-Stream": header("`v1`, on a stream."),
  "X-Ragstone-Degraded": header("What was unavailable: `embedding`, `generation`, `rerank`."),
};

const getStatus: ZodOpenApiOperationObject = {
  operationId: "getStatus",
  summary: "Check the API and the key",
  description: "Says whether the API works, and describes the key. Use it to test a key.",
  security: [{ apiKey: [] }],
  responses: {
    200: {
      description: "The key is valid",
      headers: z.object(keyHeaders),
      content: { "application/json": { schema: statusResponse, example: examples.statusResponseExample } },
    },
    ...errorResponses(keyErrors),
  },
};

const retrieve: ZodOpenApiOperationObject = {
  operationId: "retrieve",
  summary: "Search the knowledge base",
  description:
    "Returns the chunks that best match the question and, with `returnMode` `ai_generated_answer`, an answer made from them. With `Accept: text/event-stream`, streams both.",
  security: [{ apiKey: [] }],
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: retrieveRequest,
        examples: {
          chunks: { summary: "Chunks only", value: examples.chunksRequestExample },
          answer: { summary: "With an answer", value: examples.answerRequestExample },
        },
      },
    },
  },
  responses: {
    200: {
      description: "The results. `results` is empty when nothing was found",
      headers: z.object(retrievalHeaders),
      content: {
        "application/json": {
          schema: retrieveResponse,
          examples: {
            chunks: { summary: "Chunks only", value: examples.chunksResponseExample },
            answer: { summary: "With an answer", value: examples.answerResponseExample },
          },
        },
        "text/event-stream": {
          schema: z.string().meta({
            description:
              "The AI SDK's UI message stream: server-sent events of JSON without event names, and `[DONE]` at the end. Sent when `Accept` names `text/event-stream`, and not `application/json` before it. After `reset-step`, discard the text since `start-step`. An error after the start is the part `error`, with the request ID in its `errorText`.",
          }),
          example: streamExample,
        },
      },
    },
    ...errorResponses([...keyErrors, "PayloadTooLarge", "UnsupportedMediaType", "ValidationError"], ignoredFields),
  },
};

const getDocument: ZodOpenApiOperationObject = {
  operationId: "getOpenApi",
  summary: "This document",
  security: [],
  responses: {
    200: {
      description: "OpenAPI 3.1",
      headers: z.object(commonHeaders),
      content: { "application/json": { schema: z.looseObject({ openapi: z.string() }) } },
    },
    ...errorResponses([...HTTP_ERRORS, "MethodNotAllowed", "InternalServerError", "ServiceUnavailable"]),
  },
};

/** Built once, because it takes tens of milliseconds and anyone may ask for it. */
const DESCRIPTION = singleton("openApiDescription", () =>
  createDocument({
    openapi: "3.1.0",
    info: {
      title: "Ragstone",
      version: "1",
      description:
        "Search a company's knowledge base: get the chunks that answer a question, and an answer made from them. Keep the knowledge base current from your own systems.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    paths: {
      "/api/status": { get: getStatus },
      "/api/rag/retrieve": { post: retrieve },
      ...sourcePaths,
      ...openAiPaths,
      "/openapi.json": { get: getDocument },
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description:
            "`Authorization: Bearer ragstone_live_…`. Create keys in the dashboard under Settings › API Keys.",
        },
      },
    },
  }),
);

/** The OpenAPI document without the base URL of the installation. Callers must not change it. */
export function apiDescription() {
  return DESCRIPTION.get();
}

/**
 * The OpenAPI 3.1 document, from the schemas that validate requests and responses. Callers must not change it.
 * @param publicUrl without a trailing slash
 */
export function openApiDocument(publicUrl: string) {
  const { openapi, info, ...rest } = apiDescription();
  return { openapi, info, servers: [{ url: `${publicUrl}/v1` }], ...rest };
}
