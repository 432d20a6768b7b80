import type { Issue } from "./source-types.ts";

/** Every error of the client. */
export class RagstoneError extends Error {
  override name = "RagstoneError";
}

/** The server could not be reached, or the connection was cut. */
export class ConnectionError extends RagstoneError {
  override name = "ConnectionError";
}

/** The server did not respond in time. */
export class TimeoutError extends RagstoneError {
  override name = "TimeoutError";
}

/** A stream ended with an error after it began. Its message has the request id. */
export class StreamError extends RagstoneError {
  override name = "StreamError";
}

/** The content of an error response. */
interface ErrorDetails {
  status: number;
  message: string;
  headers: Headers;
  /** The body if it is a JSON object, with fields such as `requiredScope` or `confirm`. */
  body: Record<string, unknown>;
}

/** The API refused a request or failed. Each status that a program may want to handle has a subclass. */
export class ApiError extends RagstoneError {
  override name = "ApiError";
  readonly status: number;
  /** The name of the error, for example `ValidationError`; null if the response is not from Ragstone. */
  readonly error: string | null;
  /** What is wrong with the request, by field. */
  readonly issues: Issue[];
  /** Include it when you report a problem. */
  readonly requestId: string | null;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;

  constructor({ status, message, headers, body }: ErrorDetails) {
    super(message);
    this.status = status;
    this.error = typeof body.error === "string" ? body.error : null;
    this.issues = Array.isArray(body.issues) ? body.issues.filter(isIssue) : [];
    this.requestId = headers.get("x-request-id");
    this.headers = headers;
    this.body = body;
  }
}

/** 401: the key is missing, unknown, expired or revoked. */
export class AuthenticationError extends ApiError {
  override name = "AuthenticationError";
}

/** 403: the key's scopes or policy, or the subscription, do not allow the request. */
export class PermissionError extends ApiError {
  override name = "PermissionError";
}

/** 404 */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** 409 */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}

/** 412: the source has a newer version than `ifMatch` names. */
export class PreconditionFailedError extends ApiError {
  override name = "PreconditionFailedError";
}

/** 413 */
export class PayloadTooLargeError extends ApiError {
  override name = "PayloadTooLargeError";
}

/** 422: see `issues`. */
export class ValidationError extends ApiError {
  override name = "ValidationError";
}

/** 429 */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}

/** 5xx */
export class ServerError extends ApiError {
  override name = "ServerError";
}

const BY_STATUS: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  422: ValidationError,
  429: RateLimitError,
};

/** The error of a response whose status is not 2xx. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const body = parseObject(await response.text());
  const message = typeof body.message === "string" ? body.message : foreignMessage(status, headers);
  const Class = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Class({ status, message, headers, body });
}

/** For a response that is not from Ragstone, for example from a proxy. */
function foreignMessage(status: number, headers: Headers): string {
  const location = headers.get("location");
  if (status < 400 && location)
    return `The server redirects to ${location}. Set baseUrl to the URL that it redirects to.`;
  return `The server responded with status ${status} and no message. Check baseUrl and any proxy in between.`;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function isIssue(value: unknown): value is Issue {
  return typeof value === "object" && value !== null && "path" in value && "message" in value;
}
