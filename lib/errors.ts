import type { z } from "zod";
import { shortened } from "./text.ts";

/** The one table of errors that a caller can meet: name on the wire → HTTP status. */
export const ERROR_STATUS = {
  BadRequest: 400,
  Unauthorized: 401,
  SubscriptionInactive: 403,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  Conflict: 409,
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

/** An error whose message may be shown to the caller as it is. Anything else becomes a 500 that says nothing. */
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

/** 404 in one wording, for another company's ids too. */
export function notFound(what: string): AppError {
  return new AppError("NotFound", `${what} not found`);
}

/** Beyond these, one more tells nobody anything, and a hostile body could ask for a million. */
const MAX_ISSUES = 100;
/** Characters: a message or a path may quote what a caller sent. */
const MAX_MESSAGE_LENGTH = 1_000;
const MAX_PATH_LENGTH = 200;

/** Every problem of an input at once, as the 422 body lists them. */
function validationError(error: z.ZodError): AppError {
  const issues: Issue[] = error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({
    path: shortened(path.join("."), MAX_PATH_LENGTH),
    message: shortened(message, MAX_MESSAGE_LENGTH),
  }));
  const first = issues[0];
  const message = first ? `${first.path ? `${first.path}: ` : ""}${first.message}` : "Invalid input";
  return new AppError("ValidationError", message, { fields: { issues } });
}

/** Parses at the boundary of a service; throws the 422. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw validationError(parsed.error);
  return parsed.data;
}

/** What an unknown error says, for logs and job rows. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
