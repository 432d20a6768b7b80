import { z } from "zod";
import { difyRequest, difyResponse } from "../../lib/adapters/dify/schema.ts";
import { askInput, fetchInput, searchInput } from "../../lib/adapters/mcp/schema.ts";
import { ERROR_STATUS } from "../../lib/errors.ts";
import { API_ERRORS } from "../../lib/http/error-schema.ts";
import type { JsonSchema, Operation } from "./api-operation.ts";

const JSON_TYPE = "application/json";
const EVENTS_TYPE = "text/event-stream";

const difyError = z.strictObject({ error_code: z.int(), error_msg: z.string().min(1) });
const rpcMessage = z.looseObject({ jsonrpc: z.literal("2.0") });

/** Media types with their schemas, as an operation has them. */
type Answer = Map<string, z.ZodType | undefined>;

const errorsByStatus = Map.groupBy(API_ERRORS, ({ error }) => ERROR_STATUS[error]);
const ownErrors = [...errorsByStatus].map(
  ([status, errors]) =>
    [status, new Map([[JSON_TYPE, z.union([rpcMessage, ...errors.map(({ schema }) => schema)])]])] as const,
);

/** The operations of programs that know their protocol without our OpenAPI document: Dify's and MCP's. */
export const ADAPTER_OPERATIONS: Operation[] = [
  {
    id: "difyRetrieval",
    method: "POST",
    path: "/v1/api/dify/retrieval",
    scope: "retrieve",
    parameters: [],
    bodies: new Map([[JSON_TYPE, schemaOf(difyRequest)]]),
    accepts: [],
    answers: new Map<number, Answer>([
      [200, new Map([[JSON_TYPE, difyResponse]])],
      ...[400, 403, 404, 405, 408, 413, 415, 429, 503].map(
        (status) => [status, new Map([[JSON_TYPE, difyError]])] as const,
      ),
    ]),
  },
  {
    id: "mcp",
    method: "POST",
    path: "/mcp",
    scope: "retrieve",
    parameters: [],
    bodies: new Map([[JSON_TYPE, { anyOf: messages() }]]),
    accepts: [`${JSON_TYPE}, ${EVENTS_TYPE}`],
    answers: new Map<number, Answer>([
      [
        200,
        new Map<string, z.ZodType | undefined>([
          [JSON_TYPE, rpcMessage],
          [EVENTS_TYPE, undefined],
        ]),
      ],
      [202, new Map([["", undefined]])],
      [406, new Map([[JSON_TYPE, rpcMessage]])],
      ...ownErrors,
    ]),
  },
];

function messages(): JsonSchema[] {
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } };
  return [
    toolCall("search", searchInput),
    toolCall("fetch", fetchInput),
    toolCall("ask", askInput),
    message("tools/list", { const: {} }),
    message("initialize", { const: client }),
  ];
}

function toolCall(name: string, input: z.ZodType): JsonSchema {
  return message("tools/call", objectOf({ name: { const: name }, arguments: schemaOf(input) }));
}

function message(method: string, params: JsonSchema): JsonSchema {
  const id = { type: "integer", minimum: 1, maximum: 1_000 };
  return objectOf({ jsonrpc: { const: "2.0" }, id, method: { const: method }, params });
}

function objectOf(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: "object", required: Object.keys(properties), properties };
}

function schemaOf(schema: z.ZodType): JsonSchema {
  return z.custom<JsonSchema>().parse(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
}
