import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { requireMembership } from "../../audit/permissions.ts";
import { type Actor, recordAudit } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { memberships, questionGaps, users } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { DAY_MS } from "../../durations.ts";
import { notFound } from "../../errors.ts";
import type { gapChange } from "./schema.ts";

type Change = z.output<typeof gapChange>;

const ACTIONS = {
  assign: "gap.assigned",
  snooze: "gap.snoozed",
  dismiss: "gap.dismissed",
  reopen: "gap.reopened",
} as const;

/**
 * Assigns, snoozes, dismisses or reopens unanswered questions. The audit log has none of their text.
 * @throws {AppError} NotFound, including for an assignee who is not a member
 */
export async function changeGap(scope: TenantScope, actor: Actor, change: Change): Promise<void> {
  requireMembership(scope, actor);
  const { companyId } = scope;
  const { id } = change;
  await scope.transaction(async (tx) => {
    const assignee = change.do === "assign" && change.userId ? await memberOf(tx, companyId, change.userId) : null;
    const changed = await tx
      .update(questionGaps)
      .set(valuesOf(change, actor))
      .where(and(eq(questionGaps.companyId, companyId), eq(questionGaps.id, id)))
      .returning({ id: questionGaps.id });
    if (changed.length === 0) throw notFound("Question");
    const detail = change.do === "assign" ? { assignee: assignee?.name ?? "nobody" } : detailOf(change);
    await recordAudit(tx, companyId, actor, {
      action: ACTIONS[change.do],
      target: { type: "gap", id, name: id },
      detail,
    });
  });
}

/** @throws {AppError} NotFound */
async function memberOf(tx: Transaction, companyId: CompanyId, userId: string) {
  const [member] = await tx
    .select({ name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)));
  if (!member) throw notFound("Member");
  return member;
}

function detailOf(change: Exclude<Change, { do: "assign" }>): Record<string, unknown> {
  return change.do === "snooze" ? { days: change.days } : {};
}

function valuesOf(change: Change, actor: Actor): Partial<typeof questionGaps.$inferInsert> {
  const open = { snoozedUntil: null, dismissedAt: null, dismissedBy: null, dismissReason: null };
  switch (change.do) {
    case "assign":
      return { assigneeId: change.userId };
    case "snooze":
      return { ...open, snoozedUntil: new Date(Date.now() + change.days * DAY_MS) };
    case "dismiss":
      return { ...open, dismissedAt: new Date(), dismissedBy: actor.name, dismissReason: change.reason };
    default:
      return open;
  }
}
