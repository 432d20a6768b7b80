import { and, asc, desc, eq, isNotNull, isNull } from "drizzle-orm";
import { requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { sources, sourceVersions, suggestions, users } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";

const SUGGESTIONS_SHOWN = 30;

export type Suggestion = Awaited<ReturnType<typeof listSuggestions>>["rows"][number];

/**
 * The oldest open suggestions, or the last decided ones, each with the newest version of the source that it changes.
 */
export async function listSuggestions(scope: TenantScope, actor: Actor, { decided = false } = {}) {
  requireMembership(scope, actor);
  const { companyId } = scope;
  const { id, sourceId, content, note, requestId, createdAt, decision, decidedAt, decidedBy, reason } = suggestions;
  const listed = and(eq(suggestions.companyId, companyId), decided ? isNotNull(decision) : isNull(decision));
  return scope.snapshot(async (tx) => ({
    total: await tx.$count(suggestions, listed),
    rows: await tx
      .select({
        ...{ id, sourceId, content, note, requestId, createdAt, decision, decidedAt, decidedBy, reason },
        ...{ userId: suggestions.userId, memberName: users.name },
        current: { versionId: sourceVersions.id, title: sourceVersions.title, body: sourceVersions.body },
      })
      .from(suggestions)
      .leftJoin(users, eq(users.id, suggestions.userId))
      .leftJoin(
        sources,
        and(eq(sources.companyId, companyId), eq(sources.id, suggestions.sourceId), isNull(sources.deletedAt)),
      )
      .leftJoin(
        sourceVersions,
        and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, sources.latestVersionId)),
      )
      .where(listed)
      .orderBy(decided ? desc(decidedAt) : asc(createdAt), asc(id))
      .limit(SUGGESTIONS_SHOWN),
  }));
}
