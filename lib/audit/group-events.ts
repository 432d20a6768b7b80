import { count, eq, max } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Transaction } from "../db/client.ts";
import { auditLog } from "../db/schema/index.ts";
import type { CompanyId } from "../db/tenant.ts";

/** Of all companies. */
const GROUPS_KEPT = 50_000;

/** The events of one action that an actor recorded under one name. */
interface EventGroup {
  /** Null for the operator and Ragstone. */
  actorId: string | null;
  actorName: string;
  action: string;
  count: number;
}

interface Kept {
  events: number;
  groups: EventGroup[];
}

const kept = new LRUCache<CompanyId, Kept>({
  maxSize: GROUPS_KEPT,
  sizeCalculation: ({ groups }) => groups.length + 1,
});

/**
 * Groups a company's audit log, in the order of the last events. The log only grows, so it is grouped again only when it
 * has another number of events.
 * @param events the number of events that the transaction sees
 */
export async function groupEvents(tx: Transaction, companyId: CompanyId, events: number): Promise<EventGroup[]> {
  const known = kept.get(companyId);
  if (known?.events === events) return known.groups;
  const { actorId, actorName, action, createdAt } = auditLog;
  const groups = await tx
    .select({ actorId, actorName, action, count: count() })
    .from(auditLog)
    .where(eq(auditLog.companyId, companyId))
    .groupBy(actorId, actorName, action)
    .orderBy(max(createdAt));
  kept.set(companyId, { events, groups });
  return groups;
}
