import { DrizzleQueryError } from "drizzle-orm";
import { z } from "zod";
import { ApiError } from "../../lib/client/errors.ts";
import { AppError, issuesOf, validationError } from "../../lib/errors.ts";

/** Describes an error to the operator in one line. */
export function reasonOf(error: unknown): string {
  // the message of a schema's error is JSON of several lines
  if (error instanceof z.ZodError) return reasonOf(validationError(issuesOf(error)));
  const issues = error instanceof AppError ? error.fields.issues : error instanceof ApiError && error.issues;
  if (Array.isArray(issues) && issues.length > 1) {
    return issues.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`).join("; ");
  }
  if (!(error instanceof Error)) return String(error);
  // the message of a failed query is its SQL; the cause says what is wrong
  if (error instanceof DrizzleQueryError && error.cause) return reasonOf(error.cause);
  return error.message.split("\n")[0] || error.name;
}
