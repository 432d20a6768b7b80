import type { Actor } from "../audit/record.ts";
import type { Role } from "../db/column-values.ts";
import { userOfSession } from "../db/system/sessions.ts";
import { membershipsOf } from "../db/system/users.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import type { Session } from "./session-cookie.ts";

/** A person with a valid session, and their current data in the database. */
export interface Account {
  userId: string;
  email: string;
  name: string;
  hasPassword: boolean;
  sessionId: string;
  /** Sorted by name. */
  companies: { id: string; name: string; isSample: boolean; role: Role }[];
}

/** A person acting in one company. */
export interface Member extends Account {
  company: { id: string; name: string; isSample: boolean };
  role: Role;
  scope: TenantScope;
  actor: Actor;
}

/** Null when the session has ended or expired. */
export async function accountOf(session: Session): Promise<Account | null> {
  const [user, memberships] = await Promise.all([userOfSession(session), membershipsOf(session.userId)]);
  if (!user) return null;
  return {
    userId: user.id,
    email: user.email,
    name: user.name,
    hasPassword: user.passwordHash !== null,
    sessionId: session.id,
    companies: memberships.map(({ companyId, name, isSample, role }) => ({ id: companyId, name, isSample, role })),
  };
}

/**
 * The member in the given company or, when they do not belong to it, in their first company; null without any company.
 */
export function memberOf(account: Account, companyId: string | null): Member | null {
  const company = account.companies.find(({ id }) => id === companyId) ?? account.companies[0];
  if (!company) return null;
  const { role, ...rest } = company;
  return {
    ...account,
    company: rest,
    role,
    scope: tenantScope(company.id),
    actor: { type: "user", id: account.userId, name: account.name, companyId: company.id, role },
  };
}
