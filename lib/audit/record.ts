import type { Transaction } from "../db/client.ts";
import type { KeyScope, Role } from "../db/column-values.ts";
import { auditLog } from "../db/schema/index.ts";
import type { KeyPolicy } from "../db/stored-json.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { AuditAction } from "./describe-event.ts";

/** Who acts: a member in one company, a system with an API key, an operator on the command line, or Ragstone itself. */
export type Actor =
  | { type: "user"; id: string; name: string; companyId: string; role: Role }
  | { type: "api_key"; id: string; name: string; companyId: string; scopes: readonly KeyScope[]; policy: KeyPolicy }
  | { type: "cli" | "system"; id: null; name: string };

export type KeyActor = Extract<Actor, { type: "api_key" }>;

export const CLI_ACTOR: Actor = { type: "cli", id: null, name: "Command line" };
export const SYSTEM_ACTOR: Actor = { type: "system", id: null, name: "Ragstone" };

/** What an event is about. `sources`: several, in one event. */
export type AuditTarget =
  | "api_key"
  | "company"
  | "gap"
  | "invitation"
  | "request"
  | "source"
  | "sources"
  | "subscription"
  | "suggestion"
  | "test_question"
  | "user";

export interface AuditEvent {
  /** Of a change that takes several transactions. */
  id?: string;
  action: AuditAction;
  target: { type: AuditTarget; id: string; name: string };
  detail?: Record<string, unknown>;
}

/**
 * Writes the audit row in the transaction of the change, so that neither exists without the other. A change that takes
 * several transactions records the same `id` in each, with what it has changed so far.
 */
export async function recordAudit(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  event: AuditEvent,
): Promise<void> {
  const { id = crypto.randomUUID(), target, detail = {} } = event;
  const changed = { targetType: target.type, targetId: target.id, targetName: target.name, detail };
  const row = {
    companyId,
    id,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    action: event.action,
    ...changed,
  };
  await tx
    .insert(auditLog)
    .values(row)
    .onConflictDoUpdate({ target: [auditLog.companyId, auditLog.id], set: changed });
}
