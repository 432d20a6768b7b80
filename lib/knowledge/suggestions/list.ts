import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { loggedRequests } from "../../db/logged-requests.ts";
import { sources, sourceVersions, suggestions, users } from "../../db/schema/index.ts";
import type { SourceBody } from "../../db/stored-json.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { pageWithin } from "../../page.ts";

export const SUGGESTIONS_PER_PAGE = 30;
/** Bytes of a content as JSON. A larger one is not compared with its suggestions. */
const COMPARED_BYTES_MAX = 800_000;

export type Suggestion = Awaited<ReturnType<typeof listSuggestions>>["rows"][number];

/**
 * A page of the open suggestions, oldest first, or of the decided ones, newest first, each with the newest version of the
 * source that it changes. The content of that version is null for a decided suggestion and for a very long text. The
 * request is null once it has left the log.
 * @param page from 1; a number past the last page means the last page
 */
export async function listSuggestions(scope: TenantScope, actor: Actor, { decided = false, page: wanted = 1 } = {}) {
  requireMembership(scope, actor);
  const { companyId } = scope;
  const { id, sourceId, content, note, requestId, createdAt, decision, decidedAt, decidedBy, reason } = suggestions;
  const listed = and(eq(suggestions.companyId, companyId), decided ? isNotNull(decision) : isNull(decision));
  return scope.snapshot(async (tx) => {
    const total = await tx.$count(suggestions, listed);
    const { page, limit, offset } = pageWithin(wanted, { total, pageSize: SUGGESTIONS_PER_PAGE });
    const rows = await tx
      .select({
        ...{ id, sourceId, content, note, requestId, createdAt, decision, decidedAt, decidedBy, reason },
        ...{ userId: suggestions.userId, memberName: users.name },
        current: { versionId: sourceVersions.id, title: sourceVersions.title },
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
      .limit(limit)
      .offset(offset);
    const ids = decided ? [] : rows.flatMap(({ current }) => current?.versionId ?? []);
    const bodies = await comparableBodies(tx, companyId, ids);
    const logged = await loggedRequests(
      tx,
      companyId,
      rows.flatMap((row) => row.requestId ?? []),
    );
    const withBody = rows.map(({ current, ...row }) => ({
      ...row,
      requestId: row.requestId && logged.has(row.requestId) ? row.requestId : null,
      current: current && { ...current, body: bodies.get(current.versionId) ?? null },
    }));
    return { total, page, rows: withBody };
  });
}

/** The contents of the versions that are small enough to be compared, by version. */
async function comparableBodies(
  tx: Transaction,
  companyId: CompanyId,
  ids: string[],
): Promise<Map<string, SourceBody>> {
  if (ids.length === 0) return new Map();
  const { id, body } = sourceVersions;
  // the stored size is known without reading the content
  const isSmall = sql`pg_column_size(${body}) <= ${COMPARED_BYTES_MAX} and octet_length(${body}::text) <= ${COMPARED_BYTES_MAX}`;
  const rows = await tx
    .select({ id, body })
    .from(sourceVersions)
    .where(and(eq(sourceVersions.companyId, companyId), inArray(id, ids), isSmall));
  return new Map(rows.map((row) => [row.id, row.body]));
}
