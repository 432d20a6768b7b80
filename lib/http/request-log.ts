import { randomUUID } from "node:crypto";
import { z } from "zod";
import { describeError } from "../describe-error.ts";
import { AppError } from "../errors.ts";
import { log } from "../log.ts";
import { outageOf } from "../outage/outage.ts";

/** The parts of a request or server action that are logged: ids and names, never content. */
export interface LogTrace {
  requestId: string;
  /** Name of the action, as `subject.verb`. */
  name?: string;
  companyId?: string;
  keyId?: string;
  userId?: string;
}

/** The message of an unknown error, by what failed. The request id follows. */
const UNKNOWN_ERROR = {
  request: "Something went wrong. Report this request ID",
  action: "Something went wrong. Try again. If it keeps failing, report this request ID",
};

type Kind = keyof typeof UNKNOWN_ERROR;

/** The request id that the server set, which the caller sees as `X-Request-Id`. */
export function requestIdOf(headers: Pick<Headers, "get">): string {
  const given = z.uuid().safeParse(headers.get("x-request-id"));
  return given.success ? given.data : randomUUID();
}

/**
 * Logs a finished request or action.
 * @param started from `performance.now()`
 */
export function logFinished(kind: Kind, facts: object, started: number, level: "info" | "debug" = "info"): void {
  log()[level]({ msg: kind, ...facts, ms: Math.round(performance.now() - started) });
}

/**
 * The error that the caller may see. An error of the server is logged in full, under the request id.
 * @param signal of the request: after a disconnection, any failure is the caller's
 */
export function refusalOf(error: unknown, kind: Kind, trace: LogTrace, signal?: AbortSignal): AppError {
  if (error instanceof AppError && error.statusCode < 500) return error;
  if (signal?.aborted) return new AppError("BadRequest", "The caller closed the connection", { cause: error });
  log().error({ msg: `${kind} failed`, ...trace, error: describeError(error) });
  if (error instanceof AppError) return error;
  return outageOf(error) ?? new AppError("InternalServerError", `${UNKNOWN_ERROR[kind]}: ${trace.requestId}`);
}
