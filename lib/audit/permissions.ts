import type { KeyScope, Role } from "../db/column-values.ts";
import type { KeyPolicy } from "../db/stored-json.ts";
import { AppError } from "../errors.ts";
import { allowsScope } from "./key-scopes.ts";
import type { Actor } from "./record.ts";

interface Company {
  companyId: string;
}

/**
 * For actions that support staff may not do.
 * @param keyScope also lets keys of the company with this scope act; the caller applies their policy
 * @throws {AppError} Forbidden unless an admin of the company, the operator or Ragstone acts
 */
export function requireAdmin(company: Company, actor: Actor, keyScope?: KeyScope): void {
  if (isAdmin(company, actor, keyScope)) return;
  throw new AppError("Forbidden", "Only an admin of the company can do this. Ask an admin.");
}

/** Whether `requireAdmin` would let the actor act. */
export function isAdmin(company: Company, actor: Actor, keyScope?: KeyScope): boolean {
  return hasRole(company, actor, "admin") || hasScope(company, actor, keyScope);
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

/** Whether the operator or Ragstone itself acts. */
export function isOperator({ type }: Actor): boolean {
  return type === "cli" || type === "system";
}

/**
 * For actions that companies may not do themselves.
 * @throws {AppError} Forbidden unless the operator or Ragstone acts
 */
export function requireOperator(actor: Actor): void {
  if (isOperator(actor)) return;
  throw new AppError("Forbidden", "Only the operator of this server can do this. Ask the operator.");
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
