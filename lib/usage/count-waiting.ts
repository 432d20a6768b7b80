import { sql } from "drizzle-orm";
import { requireMembership } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";

/** Counts of open items, for the navigation. */
export interface Waiting {
  /** Open reports. */
  reports: number;
  /** Unanswered questions that are neither snoozed nor dismissed, by meaning; recounted every hour. */
  unanswered: number;
  /** Suggestions without a decision. */
  suggestions: number;
  /** Verified answers that expired, and so need a review. */
  reviews: number;
}

/** Counts the open items in one statement, because every page shows them. */
export async function countWaiting(scope: TenantScope, actor: Actor): Promise<Waiting> {
  requireMembership(scope, actor);
  const { companyId } = scope;
  const [row] = await scope.transaction((tx) =>
    tx.execute<Waiting & Record<string, unknown>>(sql`
      select
        (select count(*)::int from ragstone.answer_reports where company_id = ${companyId} and resolved_at is null) as reports,
        (select count(*)::int from ragstone.question_gaps where company_id = ${companyId} and times > 0
          and dismissed_at is null and (snoozed_until is null or snoozed_until <= now())) as unanswered,
        (select count(*)::int from ragstone.suggestions where company_id = ${companyId} and decision is null) as suggestions,
        (select count(*)::int from ragstone.sources where company_id = ${companyId} and deleted_at is null
          and verified_until < (now() at time zone 'utc')::date) as reviews`),
  );
  return row ?? { reports: 0, unanswered: 0, suggestions: 0, reviews: 0 };
}
