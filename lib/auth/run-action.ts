import { z } from "zod";
import { requireAdmin } from "../audit/record.ts";
import type { Role } from "../db/column-values.ts";
import { describeError } from "../describe-error.ts";
import { AppError, type Issue, parseInput } from "../errors.ts";
import { log } from "../log.ts";
import { outageOf } from "../outage/outage.ts";
import type { Member } from "./member.ts";
import type { ActionResult } from "./result.ts";

/** For the log: action, person and company; never the input. */
export interface ActionTrace {
  name: string;
  requestId: string;
  companyId?: string;
  userId?: string;
}

const pageSchema = z.object({ companyId: z.uuid().optional() }).optional();

/**
 * Checks whether a member may run an action that was called from a page.
 * @throws {AppError} Forbidden without the role; Conflict when the page shows another company than the session's
 */
export function authorise(member: Member, { role, page }: { role: Role | undefined; page: unknown }): void {
  const shown = parseInput(pageSchema, page)?.companyId;
  if (shown && shown !== member.company.id) {
    throw new AppError(
      "Conflict",
      `You are now in ${member.company.name}, and this page shows another company. Reload it first.`,
    );
  }
  if (role === "admin") requireAdmin(member.scope, member.actor);
}

/** Turns an error into a message for people, and logs unexpected errors under the request id. */
export function failure(error: unknown, trace: ActionTrace): Extract<ActionResult<never>, { ok: false }> {
  if (error instanceof AppError && error.statusCode < 500) {
    log().info({ msg: "action refused", ...trace, error: error.error });
    return { ok: false, error: error.message, issues: issuesOf(error) };
  }
  log().error({ msg: "action failed", ...trace, error: describeError(error) });
  return { ok: false, error: reasonOf(error, trace), issues: [] };
}

function reasonOf(error: unknown, { requestId }: ActionTrace): string {
  if (error instanceof AppError) return error.message;
  const unknown = `Something went wrong. Try again. If it keeps failing, report this request ID: ${requestId}`;
  return outageOf(error)?.message ?? unknown;
}

const issueList = z.array(z.object({ path: z.string(), message: z.string() }));

function issuesOf({ fields }: AppError): Issue[] {
  const parsed = issueList.safeParse(fields.issues);
  return parsed.success ? parsed.data : [];
}
