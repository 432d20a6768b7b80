import type { z } from "zod";
import { shortened } from "./text.ts";

/** Every error that a caller can get: its name in the response, and its HTTP status. */
export const ERROR_STATUS = {
  BadRequest: 400,
  Unauthorized: 401,
  SubscriptionInactive: 403,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  Conflict: 409,
  PreconditionFailed: 412,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  ValidationError: 422,
  TooManyRequests: 429,
  RequestHeaderFieldsTooLarge: 431,
  InternalServerError: 500,
  ServiceUnavailable: 503,
  InsufficientStorage: 507,
} as const;

export type ErrorName = keyof typeof ERROR_STATUS;

export interface Issue {
  path: string;
  message: string;
}

interface AppErrorOptions {
  /** Extra fields of the body, such as `subscriptionStatus` or `issues`. */
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error whose message may be shown to the caller. Any other error becomes a 500 without details. */
export class AppError extends Error {
  readonly error: ErrorName;
  readonly fields: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(error: ErrorName, message: string, { fields = {}, headers = {}, cause }: AppErrorOptions = {}) {
    super(message, { cause });
    this.name = "AppError";
    this.error = error;
    this.fields = fields;
    this.headers = headers;
  }

  get statusCode(): number {
    return ERROR_STATUS[this.error];
  }
}

/** The message of a path that does not exist. */
export const NO_SUCH_PATH = "Nothing exists at this path. See the API reference at /docs.";
export const INVALID_HTTP = "The request is not valid HTTP. Check its request line, its headers and Content-Length.";
export const HEADERS_TOO_LARGE = "The headers are larger than 16 KiB. Send fewer or shorter ones.";

/** The 404 error. Another company's id gets the same one. */
export function notFound(what: string): AppError {
  return new AppError("NotFound", `${what} not found`);
}

/** Nobody reads more issues, and a hostile body could cause a million. */
export const MAX_ISSUES = 100;
/** In characters: a message or a path may quote what a caller sent. */
const MAX_MESSAGE_LENGTH = 1_000;
const MAX_PATH_LENGTH = 200;

/** The issues of an input that does not match its schema. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({
    path: shortened(path.join("."), MAX_PATH_LENGTH),
    message: shortened(message, MAX_MESSAGE_LENGTH),
  }));
}

/** The 422 error, with the first issues of an input. @param fields extra fields of the body */
export function validationError(
  found: Issue[],
  fields: Record<string, unknown> = {},
  maxIssues: number = MAX_ISSUES,
): AppError {
  const issues = found.slice(0, maxIssues);
  const first = issues[0];
  const message = first ? `${first.path ? `${first.path}: ` : ""}${first.message}` : "Invalid input";
  return new AppError("ValidationError", message, { fields: { issues, ...fields } });
}

/**
 * Parses the input of a service.
 * @throws {AppError} ValidationError
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw validationError(issuesOf(parsed.error));
  return parsed.data;
}

/** The message of an unknown error, for logs and job rows. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
