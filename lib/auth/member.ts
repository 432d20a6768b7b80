import type { Actor } from "../audit/record.ts";
import { membershipsOf } from "../db/system/people.ts";
import { userOfSession } from "../db/system/sessions.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import type { Role } from "../db/values.ts";
import type { Session } from "./session-cookie.ts";

/** A person whose session holds, with what the database says of them now. */
export interface Account {
  userId: string;
  email: string;
  name: string;
  hasPassword: boolean;
  sessionId: string;
  /** By name. */
  companies: { id: string; name: string; isSample: boolean; role: Role }[];
}

/** A person who acts in one company. */
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

/** In the company that the session names; when they are no member there, in another of theirs; null without any. */
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
