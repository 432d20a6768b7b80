import { z } from "zod";
import type { AppError, ErrorName } from "../../errors.ts";

interface Kind {
  type: "invalid_request_error" | "permission_error" | "rate_limit_error" | "server_error";
  code: string | null;
  /** Only the names that differ from ours. */
  status?: number;
}

/** Other errors are invalid requests, or the server's when their status is 500 or more. */
const KINDS: Partial<Record<ErrorName, Kind>> = {
  Unauthorized: { type: "invalid_request_error", code: "invalid_api_key" },
  SubscriptionInactive: { type: "permission_error", code: "subscription_inactive" },
  Forbidden: { type: "permission_error", code: "forbidden" },
  // the client retries a 409
  Conflict: { type: "invalid_request_error", code: null, status: 400 },
  ValidationError: { type: "invalid_request_error", code: null, status: 400 },
  TooManyRequests: { type: "rate_limit_error", code: "rate_limit_exceeded" },
};

const firstIssue = z.object({ issues: z.tuple([z.object({ path: z.string() })], z.unknown()) });

/** An error as the clients of OpenAI expect it. */
export function openAiError({ error, statusCode, message, fields, headers }: AppError) {
  const other: Kind = { type: statusCode >= 500 ? "server_error" : "invalid_request_error", code: null };
  const { type, code, status = statusCode } = KINDS[error] ?? other;
  const param = firstIssue.safeParse(fields).data?.issues[0].path || null;
  return { status, body: { error: { message, type, param, code } }, headers };
}
