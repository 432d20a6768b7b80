import { and, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Transaction } from "../../db/client.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import { containsPattern, textArray, uuidArray } from "../../db/sql.ts";
import type { CompanyId } from "../../db/tenant.ts";
import { sourcesWithWords } from "../../search-index/find-words.ts";
import { type SourceStatus, UNDO_HOURS, type Verification } from "../values.ts";
import type { SourceFilter } from "./browse-query.ts";

export const current = alias(sourceVersions, "current");
export const latest = alias(sourceVersions, "latest");
export const toLatest = and(eq(latest.companyId, sources.companyId), eq(latest.id, sources.latestVersionId));
export const toCurrent = and(eq(current.companyId, sources.companyId), eq(current.id, sources.currentVersionId));

/** Joins a source to the version that retrieval returns, or to the newest version when there is none. */
export const toServedOrLatest = and(
  eq(sourceVersions.companyId, sources.companyId),
  eq(sourceVersions.id, sql`coalesce(${sources.currentVersionId}, ${sources.latestVersionId})`),
);

/** Status of a source: deleted, or the state of its newest version. See `SourceStatus`. */
export const statusColumn = sql<SourceStatus>`case
  when ${sources.deletedAt} is not null then 'deleted'
  when ${latest.state} = 'failed' then 'failed'
  when ${latest.state} = 'building' then 'processing'
  else 'ready' end`;

/** Whether the answer of a question is verified. See `Verification`. */
export const verificationColumn = sql<Verification | null>`case
  when ${sources.verifiedAt} is null then null
  when ${sources.verifiedUntil} < (now() at time zone 'utc')::date then 'due'
  else 'verified' end`;

interface SourceSearch {
  companyId: CompanyId;
  text: string;
  /** From `visibleTo`; missing: all sources. */
  visible?: SQL | undefined;
}

/** Matches all words in title or identifier as written, or in the content by their stems. */
export async function searchCondition(
  tx: Transaction,
  { companyId, text, visible }: SourceSearch,
): Promise<SQL | undefined> {
  const words = text.split(/\s+/).map(containsPattern);
  const named = and(...words.map((word) => sql`(${latest.title} ilike ${word} or ${sources.sourceId} ilike ${word})`));
  const ids = await sourcesWithWords(tx, { companyId, text, visible });
  return ids.length === 0 ? named : or(named, sql`${sources.id} = any(${uuidArray(ids)})`);
}

/** Lists a deleted source for as long as it can be restored. */
export function listedCondition(companyId: CompanyId, found?: SQL): SQL | undefined {
  const undoable = gt(sources.deletedAt, sql`now() - make_interval(hours => ${UNDO_HOURS})`);
  return and(eq(sources.companyId, companyId), or(isNull(sources.deletedAt), undoable), found);
}

type LabelFilters = Omit<SourceFilter, "search">;

/** Without a status, deleted sources are left out. */
export function labelConditions({
  type,
  audience,
  category,
  path,
  status,
  verification,
}: LabelFilters): (SQL | undefined)[] {
  return [
    type ? eq(latest.sourceType, type) : undefined,
    audience ? sql`${latest.audience} @> ${textArray([audience])}` : undefined,
    category ? eq(latest.contentCategory, category) : undefined,
    path.length > 0 ? sql`${latest.path}[1:${path.length}::int] = ${textArray(path)}` : undefined,
    status ? sql`${statusColumn} = ${status}` : isNull(sources.deletedAt),
    verification ? sql`${verificationColumn} = ${verification}` : undefined,
  ];
}

/** What a list shows of a source; needs the joins `toLatest` and `toCurrent`. */
export const rowColumns = {
  id: sources.id,
  sourceId: sources.sourceId,
  versionId: latest.id,
  title: latest.title,
  type: latest.sourceType,
  status: statusColumn,
  /** Why the newest version failed; null otherwise. */
  error: latest.error,
  /** What was left out or hard to read in the newest version; null for nothing. */
  notice: latest.notice,
  /** Whether retrieval can return this or an older version. */
  served: sql<boolean>`${current.id} is not null`,
  chunks: sql<number>`coalesce(${current.chunkCount}, 0)`,
  audience: latest.audience,
  category: latest.contentCategory,
  path: latest.path,
  updatedAt: sources.updatedAt,
  verification: verificationColumn,
};
