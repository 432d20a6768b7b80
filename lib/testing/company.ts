import { randomUUID } from "node:crypto";
import { type Actor, SYSTEM_ACTOR } from "../audit/record.ts";
import { createCompany } from "../companies/service.ts";
import type { Role } from "../db/column-values.ts";
import { tenantScope } from "../db/tenant.ts";
import { createMember } from "../members/service.ts";

export const TEST_PASSWORD = "granite marl slate";

/** Creates a company for one test. */
export async function testCompany(name = "Strata Ltd") {
  const company = await createCompany(SYSTEM_ACTOR, { name });
  return tenantScope(company.id);
}

/** Creates a member of a company, with the actor to act as. */
export async function testMember(scope: ReturnType<typeof tenantScope>, role: Role, name = "Ada Marl") {
  const email = `${randomUUID()}@example.com`;
  const { id } = await createMember(scope, SYSTEM_ACTOR, { email, name, role, password: TEST_PASSWORD });
  const actor: Actor = { type: "user", id, name, companyId: scope.companyId, role };
  return { id, email, actor };
}
