import { and, desc, eq, isNull } from "drizzle-orm";
import type { z } from "zod";
import { type Actor, recordAudit } from "../audit/record.ts";
import { answerReports, users } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError, notFound } from "../errors.ts";
import type { reportAnswerInput } from "./report-schema.ts";

const SHOWN = 20;
const NAME_LENGTH = 100;

export type AnswerReport = Awaited<ReturnType<typeof listReports>>["reports"][number];

/** Keeps an answer that a member finds wrong, for those who look after the knowledge. @throws {AppError} Forbidden */
export async function reportAnswer(
  scope: TenantScope,
  actor: Actor,
  { requestId, question, answer, note }: z.output<typeof reportAnswerInput>,
): Promise<void> {
  if (!actor.id) throw new AppError("Forbidden", "Only a member can report an answer");
  const userId = actor.id;
  await scope.transaction(async (tx) => {
    await tx.insert(answerReports).values({ companyId: scope.companyId, requestId, userId, question, answer, note });
    await recordAudit(tx, scope.companyId, actor, {
      action: "answer.reported",
      target: { type: "request", id: requestId, name: question.slice(0, NAME_LENGTH) },
    });
  });
}

/** The newest reports that nobody has dealt with, and how many there are. */
export async function listReports(scope: TenantScope) {
  const { id, requestId, question, answer, note, createdAt } = answerReports;
  const open = and(eq(answerReports.companyId, scope.companyId), isNull(answerReports.resolvedAt));
  return scope.snapshot(async (tx) => ({
    total: await tx.$count(answerReports, open),
    reports: await tx
      .select({ id, requestId, question, answer, note, createdAt, memberName: users.name })
      .from(answerReports)
      .leftJoin(users, eq(users.id, answerReports.userId))
      .where(open)
      .orderBy(desc(createdAt), desc(id))
      .limit(SHOWN),
  }));
}

/** The knowledge was put right, or the answer was. Again, it changes nothing. @throws {AppError} NotFound */
export async function resolveReport(scope: TenantScope, actor: Actor, id: string): Promise<void> {
  const own = and(eq(answerReports.companyId, scope.companyId), eq(answerReports.id, id));
  await scope.transaction(async (tx) => {
    const [report] = await tx.select().from(answerReports).where(own).for("update");
    if (!report) throw notFound("Report");
    if (report.resolvedAt) return;
    await tx.update(answerReports).set({ resolvedAt: new Date() }).where(own);
    await recordAudit(tx, scope.companyId, actor, {
      action: "answer.resolved",
      target: { type: "request", id: report.requestId, name: report.question.slice(0, NAME_LENGTH) },
    });
  });
}
