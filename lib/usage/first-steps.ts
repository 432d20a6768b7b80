import { sql } from "drizzle-orm";
import { requireMembership } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { flushQueryLog } from "./record.ts";

/** The first steps that a company has done. */
export type FirstSteps = Record<"knowledge" | "asked" | "key" | "called", boolean>;

/**
 * Whether the company has knowledge, a playground run, a key, and a successful API call. Each check stops at the first
 * row.
 */
export async function firstSteps(scope: TenantScope, actor: Actor): Promise<FirstSteps> {
  requireMembership(scope, actor);
  const { companyId, transaction } = scope;
  await flushQueryLog();
  const rows = await transaction((tx) =>
    tx.execute<FirstSteps>(sql`
      select
        exists(select from ragstone.sources where company_id = ${companyId} and current_version_id is not null) as knowledge,
        exists(select from ragstone.query_log where company_id = ${companyId} and user_id is not null) as asked,
        exists(select from ragstone.api_keys where company_id = ${companyId}) as key,
        exists(select from ragstone.usage_daily where company_id = ${companyId} and requests > errors) as called`),
  );
  const steps = rows[0] ?? { knowledge: false, asked: false, key: false, called: false };
  // old rows of the log are deleted, and an API call is a question too
  return { ...steps, asked: steps.asked || steps.called };
}
