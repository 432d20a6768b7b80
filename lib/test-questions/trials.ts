import { and, desc, eq, notInArray } from "drizzle-orm";
import { requireAdmin, requireMembership } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import { retrievalTrials } from "../db/schema/index.ts";
import type { RetrievalSettings } from "../db/stored-json.ts";
import type { TrialOutcome } from "../db/stored-tests.ts";
import type { TenantScope } from "../db/tenant.ts";

const TRIALS_KEPT = 20;

/** A finished trial of retrieval settings. */
export interface StoredTrial {
  id: string;
  at: Date;
  /** The name of the admin who tried the settings. */
  by: string;
  /** The settings that were saved at the time. */
  saved: RetrievalSettings;
  proposed: RetrievalSettings;
  outcome: TrialOutcome;
}

/** The company's last 20 trials, newest first. */
export async function listTrials(scope: TenantScope, actor: Actor): Promise<StoredTrial[]> {
  requireMembership(scope, actor);
  const { id, createdAt, triedBy, saved, proposed, outcome } = retrievalTrials;
  return scope.transaction((tx) =>
    tx
      .select({ id, at: createdAt, by: triedBy, saved, proposed, outcome })
      .from(retrievalTrials)
      .where(eq(retrievalTrials.companyId, scope.companyId))
      .orderBy(desc(createdAt), desc(id))
      .limit(TRIALS_KEPT),
  );
}

/** Stores a finished trial, and deletes the oldest one when there are more than 20. */
export async function storeTrial(
  scope: TenantScope,
  actor: Actor,
  trial: Pick<StoredTrial, "saved" | "proposed" | "outcome">,
): Promise<void> {
  requireAdmin(scope, actor);
  const { companyId } = scope;
  const { id, createdAt } = retrievalTrials;
  const own = eq(retrievalTrials.companyId, companyId);
  await scope.transaction(async (tx) => {
    await tx.insert(retrievalTrials).values({ companyId, triedBy: actor.name, ...trial });
    const kept = tx
      .select({ id })
      .from(retrievalTrials)
      .where(own)
      .orderBy(desc(createdAt), desc(id))
      .limit(TRIALS_KEPT);
    await tx.delete(retrievalTrials).where(and(own, notInArray(id, kept)));
  });
}
