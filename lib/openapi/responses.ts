import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import type { KeyScope } from "../db/column-values.ts";
import { ERROR_STATUS, type ErrorName } from "../errors.ts";
import { API_ERRORS } from "../http/error-schema.ts";
import { EVENT_STREAM_HEADERS } from "../http/event-stream.ts";

/** What every operation of a key states. */
export interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  scope: KeyScope;
  params?: ZodOpenApiOperationObject["requestParams"];
}

export const header = (description: string) => z.string().optional().meta({ description });

export const commonHeaders = {
  "X-Request-Id": z.uuid().meta({ description: "Include it when you report a problem." }),
  "Cache-Control": z.enum(["no-store", EVENT_STREAM_HEADERS["Cache-Control"]]),
};
export const keyHeaders = {
  ...commonHeaders,
  "RateLimit-Limit": header("Requests per minute that this server allows the key."),
  "RateLimit-Remaining": header("Requests left in this window."),
  "RateLimit-Reset": header("Seconds until the window ends."),
};
/** On every response to a request whose fields were read, errors too. */
export const ignoredFields = {
  "X-Ragstone-Ignored-Fields": header("Unknown fields of the query or the body, for example misspelled ones."),
};
/** Errors of HTTP itself, which every request can cause. */
export const HTTP_ERRORS: ErrorName[] = ["BadRequest", "RequestTimeout", "RequestHeaderFieldsTooLarge"];
/** Errors of every request with a body. */
export const BODY_ERRORS: ErrorName[] = ["PayloadTooLarge", "UnsupportedMediaType", "ValidationError"];
/** Errors that every request with a key can cause. */
export const keyErrors: ErrorName[] = [
  ...HTTP_ERRORS,
  "MethodNotAllowed",
  "Unauthorized",
  "SubscriptionInactive",
  "TooManyRequests",
  "Forbidden",
  "InternalServerError",
  "ServiceUnavailable",
  "InsufficientStorage",
];

type Headers = Record<string, ReturnType<typeof header>>;

/**
 * One response per status; errors that share a status are alternatives.
 * @param more headers of the errors after the key is checked
 */
export function errorResponses(names: ErrorName[], more: Headers = {}): ZodOpenApiResponsesObject {
  const errors = API_ERRORS.filter(({ error }) => names.includes(error));
  const byStatus = Map.groupBy(errors, ({ error }) => ERROR_STATUS[error]);
  const entries = [...byStatus].map(([status, group]) => [status, errorResponse(group, more)]);
  return Object.fromEntries(entries);
}

function errorResponse(group: typeof API_ERRORS, more: Headers): ZodOpenApiResponseObject {
  const schemas = group.map(({ schema }) => schema);
  const ownHeaders = group.flatMap(({ headers }) => Object.entries(headers ?? {}));
  return {
    description: group.map(({ when }) => when).join(", or: "),
    headers: z.object({
      ...(group.some(({ afterKey }) => afterKey) ? { ...keyHeaders, ...more } : commonHeaders),
      ...Object.fromEntries(ownHeaders.map(([name, description]) => [name, header(description)])),
    }),
    content: {
      "application/json": {
        schema: schemas.length > 1 ? z.union(schemas) : schemas[0],
        examples: Object.fromEntries(group.map(({ error, example }) => [error, { value: example }])),
      },
    },
  };
}
