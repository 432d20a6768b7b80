import { and, desc, eq, gt, inArray, notInArray } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { requireRow } from "../db/require-row.ts";
import { subscriptionHistory, subscriptions } from "../db/schema/index.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { Subscription } from "./status.ts";

export type HistoryRow = typeof subscriptionHistory.$inferSelect;

export async function selectSubscription(tx: Transaction, companyId: CompanyId): Promise<Subscription | undefined> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.companyId, companyId));
  return row;
}

export async function lockSubscription(tx: Transaction, companyId: CompanyId): Promise<Subscription | undefined> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.companyId, companyId)).for("update");
  return row;
}

export async function updateSubscription(
  tx: Transaction,
  companyId: CompanyId,
  values: Partial<Subscription>,
): Promise<Subscription> {
  return requireRow(
    await tx
      .update(subscriptions)
      .set({ ...values, updatedAt: new Date() })
      .where(eq(subscriptions.companyId, companyId))
      .returning(),
  );
}

export async function insertHistory(
  tx: Transaction,
  { companyId, status, plan, currentPeriodEnd, cancelAtPeriodEnd }: Subscription,
  entry: Pick<HistoryRow, "event" | "actor">,
): Promise<void> {
  await tx
    .insert(subscriptionHistory)
    .values({ companyId, status, plan, currentPeriodEnd, cancelAtPeriodEnd, ...entry });
}

/** Newest first. */
export async function selectHistory(tx: Transaction, companyId: CompanyId, limit: number): Promise<HistoryRow[]> {
  return tx
    .select()
    .from(subscriptionHistory)
    .where(eq(subscriptionHistory.companyId, companyId))
    .orderBy(desc(subscriptionHistory.createdAt), desc(subscriptionHistory.id))
    .limit(limit);
}

/**
 * The time since which the API refuses requests, according to the history: the first entry after the last served one,
 * or the end of that entry's period if earlier; null without such an entry.
 */
export async function selectRefusedSince(tx: Transaction, companyId: CompanyId): Promise<Date | null> {
  const { status, createdAt, id, currentPeriodEnd } = subscriptionHistory;
  const own = eq(subscriptionHistory.companyId, companyId);
  const [served] = await tx
    .select({ id, currentPeriodEnd })
    .from(subscriptionHistory)
    .where(and(own, inArray(status, ["ACTIVE", "TRIALING", "PAST_DUE"])))
    .orderBy(desc(createdAt), desc(id))
    .limit(1);
  // read again in the database: a Date has no microseconds, so that the served entry itself would be later
  const ofServed = tx
    .select({ createdAt })
    .from(subscriptionHistory)
    .where(and(own, served && eq(id, served.id)));
  const [refused] = await tx
    .select({ createdAt })
    .from(subscriptionHistory)
    .where(and(own, served && gt(createdAt, ofServed)))
    .orderBy(createdAt, id)
    .limit(1);
  const end = served?.currentPeriodEnd;
  return end && refused && end < refused.createdAt ? end : (refused?.createdAt ?? null);
}

/** The newest entry that was neither cancelled, expired or paused, nor set to end with its period. */
export async function selectUncancelled(tx: Transaction, companyId: CompanyId): Promise<HistoryRow | undefined> {
  const [row] = await tx
    .select()
    .from(subscriptionHistory)
    .where(
      and(
        eq(subscriptionHistory.companyId, companyId),
        eq(subscriptionHistory.cancelAtPeriodEnd, false),
        notInArray(subscriptionHistory.status, ["CANCELLED", "EXPIRED", "PAUSED"]),
      ),
    )
    .orderBy(desc(subscriptionHistory.createdAt), desc(subscriptionHistory.id))
    .limit(1);
  return row;
}
