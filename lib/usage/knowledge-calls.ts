import { and, desc, eq, gte, sum } from "drizzle-orm";
import { z } from "zod";
import { requireMembership } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import { apiKeys, knowledgeCallsDaily } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { dayOf } from "../durations.ts";
import { firstDay } from "./log-conditions.ts";
import type { UsageFilter } from "./log-filter.ts";
import { flushQueryLog } from "./record.ts";

export type KnowledgeCalls = Awaited<ReturnType<typeof knowledgeCallsOf>>[number];

/**
 * Counts the calls that added, listed or changed sources, by key and interface, most first. `errors` of them were refused
 * or failed. The name is null when the key was deleted.
 */
export async function knowledgeCallsOf(scope: TenantScope, actor: Actor, { days, sender }: UsageFilter) {
  requireMembership(scope, actor);
  await flushQueryLog();
  const { companyId, apiKeyId, via, day, calls, errors } = knowledgeCallsDaily;
  const key = z.uuid().safeParse(sender).data;
  if (sender !== null && !key) return [];
  const total = sum(calls).mapWith(Number);
  return scope.transaction((tx) =>
    tx
      .select({ apiKeyId, name: apiKeys.name, via, calls: total, errors: sum(errors).mapWith(Number) })
      .from(knowledgeCallsDaily)
      .leftJoin(apiKeys, and(eq(apiKeys.companyId, companyId), eq(apiKeys.id, apiKeyId)))
      .where(
        and(
          eq(companyId, scope.companyId),
          gte(day, dayOf(firstDay(days))),
          key === undefined ? undefined : eq(apiKeyId, key),
        ),
      )
      .groupBy(apiKeyId, apiKeys.name, via)
      .orderBy(desc(total), apiKeyId, via),
  );
}
