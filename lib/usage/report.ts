import { and, desc, eq } from "drizzle-orm";
import type { z } from "zod";
import { type Actor, recordAudit, requireMembership, requirePerson } from "../audit/record.ts";
import { answerReports, users } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { notFound } from "../errors.ts";
import type { reportAnswerInput } from "./report-schema.ts";

const REPORTS_SHOWN = 20;

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

/** Lists the newest unresolved reports, and counts them all. */
export async function listReports(scope: TenantScope, actor: Actor) {
  requireMembership(scope, actor);
  const { id, requestId, question, answer, note, createdAt } = answerReports;
  const own = eq(answerReports.companyId, scope.companyId);
  return scope.snapshot(async (tx) => ({
    total: await tx.$count(answerReports, own),
    reports: await tx
      .select({ id, requestId, question, answer, note, createdAt, memberName: users.name })
      .from(answerReports)
      .leftJoin(users, eq(users.id, answerReports.userId))
      .where(own)
      .orderBy(desc(createdAt), desc(id))
      .limit(REPORTS_SHOWN),
  }));
}

/**
 * Resolves a report, which deletes it.
 * @throws {AppError} NotFound
 */
export async function resolveReport(scope: TenantScope, actor: Actor, id: string): Promise<void> {
  requireMembership(scope, actor);
  const own = and(eq(answerReports.companyId, scope.companyId), eq(answerReports.id, id));
  await scope.transaction(async (tx) => {
    const [report] = await tx.delete(answerReports).where(own).returning({ requestId: answerReports.requestId });
    if (!report) throw notFound("Report");
    await recordAudit(tx, scope.companyId, actor, {
      action: "answer.resolved",
      target: { type: "request", id: report.requestId, name: report.requestId },
    });
  });
}
