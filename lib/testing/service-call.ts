import type { Actor } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import type { FilledCompany } from "./filled-company.ts";

/** Who may call a service method. `anybody`: permission is checked before, by the key or by the calling method. */
export type Callers =
  | "operator"
  | "admins"
  /** Without a scope: an admin of any company acts for themselves. */
  | "admins of any company"
  | "admins, ingest keys"
  | "admins, manage keys"
  | "members"
  | "members, manage keys"
  | "people"
  | "askers"
  | "anybody";

/** A service method, called in a company by an actor, with ids of the company `of` where its input takes any. */
export type ServiceCall = (scope: TenantScope, actor: Actor, of: FilledCompany) => Promise<unknown>;
