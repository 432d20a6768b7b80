import { setTimeout } from "node:timers/promises";
import { and, desc, eq, gt, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { distinctNames } from "../../api-keys/distinct-names.ts";
import { listKeyChoices } from "../../api-keys/service.ts";
import { requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { memberships, questionGaps, users } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { log } from "../../log.ts";
import { refreshGaps } from "./refresh.ts";
import type { GapView } from "./views.ts";

const GAPS_SHOWN = 50;
/** Hundreds of new questions take longer to group: the list then shows what is grouped already. */
const WAIT_MAX_MS = 1_500;

/** Companies whose last refresh ended recently. A refresh may take longer than this time. */
const recentlyRefreshed = new LRUCache<CompanyId, true>({ max: 10_000, ttl: 15_000 });
/** What lists wait for while the gaps of their company are refreshed. */
const refreshing = new Map<CompanyId, Promise<void>>();

export type Gap = Awaited<ReturnType<typeof listGaps>>["gaps"][number];

/** Condition for gaps that are neither dismissed nor snoozed. */
const isOpen = and(
  isNull(questionGaps.dismissedAt),
  or(isNull(questionGaps.snoozedUntil), lte(questionGaps.snoozedUntil, sql`now()`)),
);

/**
 * Lists unanswered questions, and with a reported one, by meaning: the most frequent first, with the members to
 * whom they can be assigned.
 */
export async function listGaps(scope: TenantScope, actor: Actor, view: GapView) {
  requireMembership(scope, actor);
  const { companyId } = scope;
  if (!recentlyRefreshed.has(companyId)) await (refreshing.get(companyId) ?? startRefresh(scope));
  const { id, questions, times, reports, keys, lastAskedAt, assigneeId } = questionGaps;
  const { snoozedUntil, dismissedAt, dismissedBy, dismissReason } = questionGaps;
  const listed = and(eq(questionGaps.companyId, companyId), conditionOf(view, actor));
  const nameOf = distinctNames(await listKeyChoices(scope, actor));
  return scope.snapshot(async (tx) => {
    const rows = await tx
      .select({
        ...{ id, questions, times, reports, keys, lastAskedAt, assigneeId, assigneeName: users.name },
        ...{ snoozedUntil, dismissedAt, dismissedBy, dismissReason },
      })
      .from(questionGaps)
      .leftJoin(users, eq(users.id, assigneeId))
      .where(listed)
      .orderBy(desc(sql`${times} + ${reports}`), desc(lastAskedAt), id)
      .limit(GAPS_SHOWN);
    return {
      total: await tx.$count(questionGaps, listed),
      gaps: rows.map((row) => ({
        ...row,
        keys: row.keys.map((key) => ({ ...key, name: key.id ? (nameOf.get(key.id) ?? null) : null })),
      })),
      members: await tx
        .select({ id: users.id, name: users.name })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(eq(memberships.companyId, companyId))
        .orderBy(users.name, users.id),
    };
  });
}

/** Starts to refresh the gaps. @returns what the lists of the company wait for until the refresh has ended */
function startRefresh(scope: TenantScope): Promise<void> {
  const { companyId } = scope;
  const refresh = refreshGaps(scope).finally(() => {
    refreshing.delete(companyId);
    recentlyRefreshed.set(companyId, true);
  });
  const awaited = waitFor(refresh, WAIT_MAX_MS);
  refreshing.set(companyId, awaited);
  return awaited;
}

/** Stops waiting after a while; the refresh goes on. */
async function waitFor(refresh: Promise<void>, maxMs: number): Promise<void> {
  const late = await Promise.race([refresh, setTimeout(maxMs, "late" as const)]);
  if (late) refresh.catch((error: unknown) => log().warn({ err: error }, "unanswered questions were not grouped"));
}

function conditionOf(view: GapView, actor: Actor): SQL | undefined {
  switch (view) {
    case "mine":
      return and(isOpen, actor.id ? eq(questionGaps.assigneeId, actor.id) : sql`false`);
    case "snoozed":
      return and(isNull(questionGaps.dismissedAt), gt(questionGaps.snoozedUntil, sql`now()`));
    case "dismissed":
      return isNotNull(questionGaps.dismissedAt);
    default:
      return isOpen;
  }
}
