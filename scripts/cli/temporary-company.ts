import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { createCompany, deleteCompany } from "../../lib/companies/service.ts";
import { type TenantScope, tenantScope } from "../../lib/db/tenant.ts";

/** Runs work in a new company and deletes the company afterwards. */
export async function inTemporaryCompany<T>(name: string, work: (scope: TenantScope) => Promise<T>): Promise<T> {
  const scope = tenantScope((await createCompany(CLI_ACTOR, { name })).id);
  try {
    return await work(scope);
  } finally {
    await deleteCompany(scope, CLI_ACTOR);
  }
}
