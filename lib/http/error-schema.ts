import { z } from "zod";
import { KEY_SCOPES, SUBSCRIPTION_STATUSES } from "../db/column-values.ts";
import { ERROR_STATUS, type ErrorName, HEADERS_TOO_LARGE, INVALID_HTTP, NO_SUCH_PATH } from "../errors.ts";

/** An error of the API, as documented in the reference. */
interface ErrorDoc {
  error: ErrorName;
  when: string;
  /** An example. */
  message: string;
  fields?: Record<string, z.ZodType>;
  exampleFields?: Record<string, unknown>;
  headers?: Record<string, string>;
}

const issue = z.strictObject({
  path: z.string().meta({ description: "Where in the body, with dots; empty for the body as a whole." }),
  message: z.string().meta({ description: "What is wrong and what to send." }),
});

const docs: ErrorDoc[] = [
  {
    error: "BadRequest",
    when: "The request is not valid HTTP, or its body was cut off",
    message: INVALID_HTTP,
  },
  {
    error: "RequestHeaderFieldsTooLarge",
    when: "The request's headers are larger than 16 KiB",
    message: HEADERS_TOO_LARGE,
  },
  {
    error: "NotFound",
    when: "Nothing exists at this path",
    message: NO_SUCH_PATH,
  },
  {
    error: "MethodNotAllowed",
    when: "The path does not support the method",
    message: "This path supports only POST, OPTIONS.",
    headers: { Allow: "The methods that the path supports." },
  },
  {
    error: "Unauthorized",
    when: "The key is missing, malformed, unknown, expired or revoked",
    message: "API key is invalid or expired",
    headers: { "WWW-Authenticate": '`Bearer`, with `error="invalid_token"` when a key was sent.' },
  },
  {
    error: "SubscriptionInactive",
    when: "The company's subscription is not active",
    message: "The subscription was cancelled. Resume the subscription to use the API again.",
    fields: { subscriptionStatus: z.enum(SUBSCRIPTION_STATUSES) },
    exampleFields: { subscriptionStatus: "CANCELLED" },
  },
  {
    error: "TooManyRequests",
    when: "The key's rate limit was reached, or too many questions of its company are waiting",
    message: "Rate limit of 600 requests per minute reached. Retry in 12 seconds.",
    headers: { "Retry-After": "Whole seconds to wait." },
  },
  {
    error: "RequestTimeout",
    when: "The request body timed out",
    message: "The request body timed out. Send it without pauses.",
  },
  {
    error: "PayloadTooLarge",
    when: "The body is larger than the route allows: 1 MiB, 10 MiB for sources, 50 MB for a file",
    message: "The body is larger than 1 MiB. Send a smaller one.",
  },
  {
    error: "UnsupportedMediaType",
    when: "The body is not JSON in UTF-8",
    message: "The body must be JSON in UTF-8: send Content-Type: application/json",
  },
  {
    error: "ValidationError",
    when: "The body is malformed, or a field is out of range. Lists up to 100 problems; of a batch or a file of questions, up to 1,000",
    message: "limit: must be at most 100",
    fields: {
      issues: z.array(issue),
      confirm: z
        .int()
        .optional()
        .meta({ description: "Of `POST /sources/delete`: the number of sources that would be deleted." }),
      moreFailed: z
        .int()
        .optional()
        .meta({ description: "Of a file of questions: the number of refused rows that `issues` does not name." }),
    },
    exampleFields: { issues: [{ path: "limit", message: "must be at most 100" }] },
  },
  {
    error: "Forbidden",
    when: "The key does not have the scope of the request, or its policy does not allow an AI answer or a label",
    message: 'This API key does not allow AI answers: send "returnMode": "chunks_only", or use another key',
    fields: { requiredScope: z.enum(KEY_SCOPES).optional() },
  },
  {
    error: "Conflict",
    when: "The state of the source does not allow the change",
    message: "The source is not deleted, so there is nothing to restore",
    fields: { issues: z.array(issue).optional() },
  },
  {
    error: "PreconditionFailed",
    when: "The newest version is not the one that `If-Match` names",
    message: "The source has changed. Read it, then send the change again.",
  },
  {
    error: "InternalServerError",
    when: "An internal error. The message contains the request ID",
    message: "Something went wrong. Report this request ID: 6f1c1d6e-7a0b-4f7e-9d57-1f3f8f0c2b11",
  },
  {
    error: "ServiceUnavailable",
    when: "The server is starting, or the database is unavailable. Nothing is wrong with the key",
    message: "The database is unavailable. Retry in a few seconds.",
    headers: { "Retry-After": "Whole seconds to wait." },
  },
  {
    error: "InsufficientStorage",
    when: "The server's disk is full. Nothing is wrong with the key",
    message: "The server's disk is full, so nothing was stored. Free some space, then retry.",
  },
];

/**
 * Every error that a caller of `/v1` can get, in the order of the checks, with the schema of its body and an example.
 */
export const API_ERRORS = docs.map((doc, index) => ({
  ...doc,
  schema: schemaOf(doc),
  example: exampleOf(doc),
  /** Whether the key was valid, so that the response has rate limit headers. */
  afterKey: index > docs.findIndex(({ error }) => error === "Unauthorized"),
}));

function schemaOf({ error, fields }: ErrorDoc) {
  return z
    .strictObject({
      statusCode: z.literal(ERROR_STATUS[error]),
      error: z.literal(error),
      message: z.string().meta({ description: "What happened and what to do, for a person." }),
      ...fields,
    })
    .meta({ id: error.endsWith("Error") ? error : `${error}Error` });
}

function exampleOf({ error, message, exampleFields }: ErrorDoc) {
  return { statusCode: ERROR_STATUS[error], error, message, ...exampleFields };
}
