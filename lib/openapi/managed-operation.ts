import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import type { ErrorName } from "../errors.ts";
import {
  BODY_ERRORS,
  type DescribedOperation,
  errorResponses,
  type header,
  ignoredFields,
  keyErrors,
  keyHeaders,
} from "./responses.ts";

interface Described extends DescribedOperation {
  /** With `lines`, the body may also be lines of JSON, of which they are an example. */
  body?: { schema: z.ZodType; example: object; lines?: object[] };
  /** Whether the body is a file, or a form with one. */
  file?: boolean;
  /** JSON, unless it has a media type of its own. */
  response: { schema: z.ZodType; example: object } | { mediaType: string };
  /** Whether 202 says that a worker still has to process something. */
  queues?: boolean;
  errors?: ErrorName[];
  /** Headers of the response beside those of every response to a key. */
  headers?: Record<string, ReturnType<typeof header>>;
}

const binary = z.string().meta({ format: "binary" });
const FILE_CONTENT = {
  "application/octet-stream": { schema: binary },
  "multipart/form-data": { schema: z.object({ file: binary, labels: z.string().optional() }) },
};

/** An operation of the management API, with the errors that it can cause. */
export function operation(described: Described): ZodOpenApiOperationObject {
  const {
    operationId,
    summary,
    description,
    scope,
    params,
    body,
    file,
    response,
    queues,
    errors = [],
    headers,
  } = described;
  const content =
    "schema" in response
      ? { "application/json": { schema: response.schema, example: response.example } }
      : { [response.mediaType]: { schema: binary } };
  const ignored = params?.query || body || file ? ignoredFields : {};
  const answer = { headers: z.object({ ...keyHeaders, ...ignored, ...headers }), content };
  return {
    operationId,
    summary,
    description: `${description} Needs the scope \`${scope}\`.`,
    security: [{ apiKey: [] }],
    "x-required-scope": scope,
    ...(params && { requestParams: params }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: body.schema, example: body.example },
          ...(body.lines && {
            "application/x-ndjson": {
              schema: z.string(),
              example: body.lines.map((line) => JSON.stringify(line)).join("\n"),
            },
          }),
        },
      },
    }),
    ...(file && { requestBody: { required: true, content: FILE_CONTENT } }),
    responses: {
      200: { description: queues ? "Nothing is left to process" : "Done", ...answer },
      ...(queues && { 202: { description: "Accepted; a worker processes it", ...answer } }),
      ...errorResponses([...keyErrors, ...(body ? BODY_ERRORS : []), ...errors], ignored),
    },
  };
}
