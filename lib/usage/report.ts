import type { z } from "zod";
import { type Actor, recordAudit } from "../audit/record.ts";
import { answerReports } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError } from "../errors.ts";
import type { reportAnswerInput } from "./report-schema.ts";

/** Keeps an answer that a member finds wrong, for those who look after the knowledge. */
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
      target: { type: "request", id: requestId, name: question.slice(0, 100) },
    });
  });
}
