import { z } from "zod";
import { requireAdmin } from "../audit/permissions.ts";
import type { Role } from "../db/column-values.ts";
import { AppError, parseInput } from "../errors.ts";
import { type LogTrace, refusalOf } from "../http/request-log.ts";
import { log } from "../log.ts";
import type { Member } from "./member.ts";
import type { ActionResult } from "./result.ts";

const pageSchema = z.object({ companyId: z.uuid().optional() }).optional();

interface Called {
  role: Role | undefined;
  page: unknown;
  /** Also from a page that shows another company than the session's. */
  anyCompany?: boolean;
}

/**
 * Checks whether a member may run an action that was called from a page.
 * @throws {AppError} Forbidden without the role; Conflict when the page shows another company than the session's
 */
export function authorise(member: Member, { role, page, anyCompany = false }: Called): void {
  const shown = parseInput(pageSchema, page)?.companyId;
  if (!anyCompany && shown && shown !== member.company.id) {
    throw new AppError(
      "Conflict",
      `You are now in ${member.company.name}, and this page shows another company. Reload the page first.`,
    );
  }
  if (role === "admin") requireAdmin(member.scope, member.actor);
}

/** The error of an action that the person may see. Every error is logged. */
export function actionError(error: unknown, trace: LogTrace, signal?: AbortSignal): AppError {
  const refusal = refusalOf(error, "action", trace, signal);
  if (refusal.statusCode < 500) log().info({ msg: "action refused", ...trace, error: refusal.error });
  return refusal;
}

/** The result of an action that failed. */
export function failure({ message, fields }: AppError): Extract<ActionResult<never>, { ok: false }> {
  return { ok: false, error: message, issues: issueList.safeParse(fields.issues).data ?? [] };
}

const issueList = z.array(z.object({ path: z.string(), message: z.string() }));
