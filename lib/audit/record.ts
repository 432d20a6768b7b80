import type { Transaction } from "../db/client.ts";
import { auditLog } from "../db/schema/index.ts";
import type { CompanyId } from "../db/tenant.ts";

type AuditRow = typeof auditLog.$inferInsert;

/** Who acts: a member in the dashboard, an operator at the command line, the system itself. */
export interface Actor {
  type: AuditRow["actorType"];
  id: string | null;
  name: string;
}

export const CLI_ACTOR: Actor = { type: "cli", id: null, name: "Command line" };
export const SYSTEM_ACTOR: Actor = {
  type: "system",
  id: null,
  name: "Ragstone",
};

/** What happened, as `thing.verb`. */
export type AuditAction = `${string}.${string}`;

export interface AuditEvent {
  action: AuditAction;
  target: { type: string; id: string; name: string };
  detail?: Record<string, unknown>;
}

/** Writes the audit row in the transaction of the change, so that one never stands without the other. */
export async function recordAudit(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  event: AuditEvent,
): Promise<void> {
  await tx.insert(auditLog).values({
    companyId,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    action: event.action,
    targetType: event.target.type,
    targetId: event.target.id,
    targetName: event.target.name,
    detail: event.detail ?? {},
  });
}
