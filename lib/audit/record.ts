import type { Transaction } from "../db/client.ts";
import type { KeyScope, Role } from "../db/column-values.ts";
import { auditLog } from "../db/schema/index.ts";
import type { KeyPolicy } from "../db/stored-json.ts";
import type { CompanyId } from "../db/tenant.ts";
import { AppError } from "../errors.ts";
import type { AuditAction } from "./describe-event.ts";
import { allowsScope } from "./key-scopes.ts";

/** Who acts: a member in one company, a system with an API key, an operator on the command line, or Ragstone itself. */
export type Actor =
  | { type: "user"; id: string; name: string; companyId: string; role: Role }
  | { type: "api_key"; id: string; name: string; companyId: string; scopes: readonly KeyScope[]; policy: KeyPolicy }
  | { type: "cli" | "system"; id: null; name: string };

export type KeyActor = Extract<Actor, { type: "api_key" }>;

export const CLI_ACTOR: Actor = { type: "cli", id: null, name: "Command line" };
export const SYSTEM_ACTOR: Actor = { type: "system", id: null, name: "Ragstone" };

interface Company {
  companyId: string;
}

/**
 * For actions that support staff may not do.
 * @param keyScope also lets keys of the company with this scope act; the caller applies their policy
 * @throws {AppError} Forbidden unless an admin of the company, the operator or Ragstone acts
 */
export function requireAdmin(company: Company, actor: Actor, keyScope?: KeyScope): void {
  if (hasRole(company, actor, "admin") || hasScope(company, actor, keyScope)) return;
  throw new AppError("Forbidden", "Only an admin of the company can do this. Ask an admin.");
}

/**
 * For actions that every member may do.
 * @param keyScope also lets keys of the company with this scope act; the caller applies their policy
 * @throws {AppError} Forbidden unless a member of the company, the operator or Ragstone acts
 */
export function requireMembership(company: Company, actor: Actor, keyScope?: KeyScope): void {
  if (hasRole(company, actor, "support") || hasScope(company, actor, keyScope)) return;
  throw new AppError("Forbidden", "Only a member of the company can do this.");
}

/**
 * For actions that companies may not do themselves.
 * @throws {AppError} Forbidden unless the operator or Ragstone acts
 */
export function requireOperator(actor: Actor): void {
  if (actor.type === "cli" || actor.type === "system") return;
  throw new AppError("Forbidden", "Only the operator of this installation can do this.");
}

/**
 * For actions that only people do.
 * @throws {AppError} Forbidden unless a member of the company acts
 */
export function requirePerson(company: Company, actor: Actor): Extract<Actor, { type: "user" }> {
  requireMembership(company, actor);
  if (actor.type === "user") return actor;
  throw new AppError("Forbidden", "Only a member of the company can do this.");
}

function hasRole({ companyId }: Company, actor: Actor, role: Role): boolean {
  switch (actor.type) {
    case "user":
      return actor.companyId === companyId && (actor.role === "admin" || actor.role === role);
    case "cli":
    case "system":
      return true;
    case "api_key":
      return false;
    default:
      return refuseUnknown(actor);
  }
}

function hasScope({ companyId }: Company, actor: Actor, required: KeyScope | undefined): boolean {
  if (actor.type !== "api_key" || required === undefined) return false;
  return actor.companyId === companyId && allowsScope(actor.scopes, required);
}

/** Makes a new type of actor a compile error until `hasRole` handles it. */
function refuseUnknown(_actor: never): false {
  return false;
}

/** The policy of an actor with a key; people and the operator may see everything. */
export function policyOf(actor: Actor): KeyPolicy {
  return actor.type === "api_key" ? actor.policy : {};
}

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
 * several transactions records the same `id` in each, with all that it has changed so far.
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
