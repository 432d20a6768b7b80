import { and, desc, eq, isNotNull, isNull } from "drizzle-orm";
import type { z } from "zod";
import { requireMembership, requirePerson } from "../audit/permissions.ts";
import { type Actor, recordAudit } from "../audit/record.ts";
import { getCompany } from "../companies/service.ts";
import { loggedRequests } from "../db/logged-requests.ts";
import { answerReports, users } from "../db/schema/index.ts";
import type { ReportEvent } from "../db/stored-json.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError, notFound } from "../errors.ts";
import { pageWithin } from "../page.ts";
import { flushQueryLog } from "./record.ts";
import type { reportAnswerInput } from "./report-schema.ts";

export const REPORTS_PER_PAGE = 20;

export type AnswerReport = Awaited<ReturnType<typeof listReports>>["reports"][number];

/**
 * Stores an answer that a member reports as wrong, for those who maintain the knowledge. The audit log, which is kept
 * for good, contains none of its text.
 * @throws {AppError} Forbidden
 */
export async function reportAnswer(
  scope: TenantScope,
  actor: Actor,
  { requestId, question, answer, note }: z.output<typeof reportAnswerInput>,
): Promise<void> {
  const { id: userId } = requirePerson(scope, actor);
  await scope.transaction(async (tx) => {
    await tx.insert(answerReports).values({ companyId: scope.companyId, requestId, userId, question, answer, note });
    await recordAudit(tx, scope.companyId, actor, {
      action: "answer.reported",
      target: { type: "request", id: requestId, name: requestId },
    });
  });
}

/**
 * A page of the reports that are open, or resolved, newest first. A report may outlive its request, or the text of its
 * question.
 * @param page from 1; a number past the last page means the last page
 */
export async function listReports(scope: TenantScope, actor: Actor, { resolved = false, page: wanted = 1 } = {}) {
  requireMembership(scope, actor);
  const { hashQueries } = await getCompany(scope, actor);
  await flushQueryLog();
  const { id, requestId, question, answer, note, createdAt, resolvedAt, history } = answerReports;
  const own = eq(answerReports.companyId, scope.companyId);
  const listed = and(own, resolved ? isNotNull(resolvedAt) : isNull(resolvedAt));
  return scope.snapshot(async (tx) => {
    const total = await tx.$count(answerReports, listed);
    const { page, limit, offset } = pageWithin(wanted, { total, pageSize: REPORTS_PER_PAGE });
    const rows = await tx
      .select({ id, requestId, question, answer, note, createdAt, resolvedAt, history, memberName: users.name })
      .from(answerReports)
      .leftJoin(users, eq(users.id, answerReports.userId))
      .where(listed)
      .orderBy(desc(resolved ? resolvedAt : createdAt), desc(id))
      .limit(limit)
      .offset(offset);
    const logged = await loggedRequests(
      tx,
      scope.companyId,
      rows.map((row) => row.requestId),
    );
    const reports = rows.map((row) => {
      const hasQuestion = logged.get(row.requestId)?.hasQuestion ?? false;
      return { ...row, isLogged: logged.has(row.requestId), hasQuestion, canAskAgain: !hashQueries && hasQuestion };
    });
    return { total, page, reports };
  });
}

/**
 * Resolves a report. It is kept as long as requests, and can be reopened until then.
 * @throws {AppError} NotFound; Conflict when it is resolved already
 */
export async function resolveReport(scope: TenantScope, actor: Actor, id: string): Promise<void> {
  await changeReport(scope, actor, id, "resolved");
}

/** Opens a resolved report again. @throws {AppError} NotFound; Conflict when it is open already */
export async function reopenReport(scope: TenantScope, actor: Actor, id: string): Promise<void> {
  await changeReport(scope, actor, id, "reopened");
}

async function changeReport(scope: TenantScope, actor: Actor, id: string, did: ReportEvent["did"]): Promise<void> {
  requireMembership(scope, actor);
  const own = and(eq(answerReports.companyId, scope.companyId), eq(answerReports.id, id));
  const isResolving = did === "resolved";
  await scope.transaction(async (tx) => {
    const [report] = await tx.select().from(answerReports).where(own).for("update");
    if (!report) throw notFound("Report");
    if ((report.resolvedAt !== null) === isResolving) {
      throw new AppError("Conflict", `The report was already ${did}. Reload the page.`);
    }
    const at = new Date();
    const history = [...report.history, { did, at: at.toISOString(), by: actor.name }];
    await tx
      .update(answerReports)
      .set({ resolvedAt: isResolving ? at : null, history })
      .where(own);
    await recordAudit(tx, scope.companyId, actor, {
      action: `answer.${did}`,
      target: { type: "request", id: report.requestId, name: report.requestId },
    });
  });
}
