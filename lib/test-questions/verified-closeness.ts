import { eq } from "drizzle-orm";
import { SAME_QUESTION_CLOSENESS } from "../ai/local/question-closeness.ts";
import { requireMembership } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import { companies } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { JUDGED_MIN } from "./choose-closeness.ts";

/** How close a question must be to get a verified answer word for word, from 0 to 1. */
export interface VerifiedCloseness {
  needed: number;
  /** Whether it was chosen on the company's own test questions; otherwise it is Ragstone's default. */
  isOwn: boolean;
  /** Judged test questions that a choice needs. */
  questionsMin: number;
}

export async function verifiedCloseness(scope: TenantScope, actor: Actor): Promise<VerifiedCloseness> {
  requireMembership(scope, actor);
  const [row] = await scope.transaction((tx) =>
    tx.select({ own: companies.verifiedCloseness }).from(companies).where(eq(companies.id, scope.companyId)),
  );
  const own = row?.own ?? null;
  return { needed: own ?? SAME_QUESTION_CLOSENESS, isOwn: own !== null, questionsMin: JUDGED_MIN };
}
