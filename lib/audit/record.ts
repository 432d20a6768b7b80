import type { Transaction } from "../db/client.ts";
import { auditLog } from "../db/schema/index.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { Role } from "../db/values.ts";
import { AppError } from "../errors.ts";

type AuditRow = typeof auditLog.$inferInsert;

/** Who acts: a member in the dashboard, an operator at the command line, the system itself. */
export interface Actor {
  type: AuditRow["actorType"];
  id: string | null;
  name: string;
  /** Of a user, in the company where they act. */
  role?: Role;
}

/** Operators and the system may; of users, admins. Support staff see knowledge, playground and usage. @throws {AppError} Forbidden */
export function requireAdmin(actor: Actor): void {
  if (actor.type !== "user" || actor.role === "admin") return;
  throw new AppError("Forbidden", "Only an admin of the company can do this. Ask one of them.");
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
