import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { statusColumn } from "./source-rows.ts";

/** All sources of a company except deleted ones, by identifier. */
export async function listSources(scope: TenantScope, actor: Actor) {
  requireMembership(scope, actor);
  const current = alias(sourceVersions, "current");
  const latest = alias(sourceVersions, "latest");
  return scope.transaction((tx) =>
    tx
      .select({
        sourceId: sources.sourceId,
        title: latest.title,
        sourceType: latest.sourceType,
        status: statusColumn,
        chunks: sql<number>`coalesce(${current.chunkCount}, 0)`,
        updatedAt: sources.updatedAt,
        error: latest.error,
      })
      .from(sources)
      .innerJoin(latest, and(eq(latest.companyId, sources.companyId), eq(latest.id, sources.latestVersionId)))
      .leftJoin(current, and(eq(current.companyId, sources.companyId), eq(current.id, sources.currentVersionId)))
      .where(and(eq(sources.companyId, scope.companyId), isNull(sources.deletedAt)))
      .orderBy(asc(sources.sourceId)),
  );
}
