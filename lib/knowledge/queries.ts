import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Actor } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { questionKey } from "../db/question-key.ts";
import { companies, sources, sourceVersions, versionChunks } from "../db/schema/index.ts";
import { uuidArray } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { adoptAttachments, type NamedSource } from "./adopt-attachments.ts";
import { UNDO_HOURS } from "./values.ts";
import { visibleTo } from "./visible-sources.ts";

/** The condition for a deleted source that can still be restored. */
export const isRestorable = sql`${sources.deletedAt} > now() - make_interval(hours => ${UNDO_HOURS})`;

interface InCompany {
  companyId: CompanyId;
}

/** The labels of new sources that have none of their own. */
export async function companyDefaults(tx: Transaction, companyId: CompanyId) {
  const [row] = await tx
    .select({ defaultAudience: companies.defaultAudience })
    .from(companies)
    .where(eq(companies.id, companyId));
  if (!row) throw new Error("the company is gone");
  return row;
}

/** The condition on `version_chunks` for the chunks of one version. */
export function ofVersion(companyId: CompanyId, versionId: string) {
  return and(eq(versionChunks.companyId, companyId), eq(versionChunks.versionId, versionId));
}

const sourceRow = { id: sources.id, sourceId: sources.sourceId, deletedAt: sources.deletedAt };

export type SourceRow = Pick<typeof sources.$inferSelect, keyof typeof sourceRow>;

/**
 * The sources with these caller identifiers, created when missing, and locked for this transaction. An attachment whose
 * identifier another source has is left out.
 */
export async function upsertSources(tx: Transaction, { companyId, named }: InCompany & { named: NamedSource[] }) {
  await adoptAttachments(tx, companyId, named);
  const rows = await tx
    .insert(sources)
    // always in the same order, so that two transactions cannot deadlock
    .values(
      named
        .toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1))
        .map(({ sourceId, rowId, attachedTo }) => ({ companyId, sourceId, attachedTo, ...(rowId && { id: rowId }) })),
    )
    .onConflictDoUpdate({
      target: [sources.companyId, sources.sourceId],
      // a file that is added by itself is no longer an attachment
      set: { attachedTo: sql`excluded.attached_to` },
      setWhere: sql`excluded.attached_to is null or ${sources.attachedTo} = excluded.attached_to`,
    })
    .returning(sourceRow);
  return new Map(rows.map((row) => [row.sourceId, row]));
}

interface EmailVersion extends InCompany {
  id: string;
  versionId: string;
}

/** The condition for an email that is not deleted, has no newer version, and is not an attachment itself. */
export function isNewestEmail({ companyId, id, versionId }: EmailVersion) {
  return and(
    eq(sources.companyId, companyId),
    eq(sources.id, id),
    eq(sources.latestVersionId, versionId),
    isNull(sources.attachedTo),
    isNull(sources.deletedAt),
  );
}

/** Locks an email if this is its newest version. @returns whether it is */
export async function lockEmail(tx: Transaction, email: EmailVersion): Promise<boolean> {
  const rows = await tx.select({ id: sources.id }).from(sources).where(isNewestEmail(email)).for("update");
  return rows.length > 0;
}

interface LiveSources extends InCompany {
  ids: string[];
  /** The row of the email that they must be attached to. */
  attachedTo?: string | undefined;
}

/** The sources that are not deleted, locked for this transaction. */
export async function lockSources(tx: Transaction, { companyId, ids, attachedTo }: LiveSources) {
  const rows = await tx
    .select(sourceRow)
    .from(sources)
    .where(
      and(
        eq(sources.companyId, companyId),
        inArray(sources.id, ids),
        isNull(sources.deletedAt),
        attachedTo === undefined ? undefined : eq(sources.attachedTo, attachedTo),
      ),
    )
    // the same order as in upsertSources, to prevent deadlocks
    .orderBy(sql`${sources.sourceId} collate "C"`)
    .for("update");
  return new Map(rows.map((row) => [row.sourceId, row]));
}

/** Locks sources that are not deleted, and the attachments of the emails among them. */
export async function lockWithAttached(tx: Transaction, { ids, ...which }: LiveSources) {
  const all = await withAttached(tx, which.companyId, ids);
  // in the same order as all other changes, to prevent deadlocks
  const rows = await lockSources(tx, { ids: all, ...which });
  // a worker may have stored attachments of an email before it was locked
  const more = await withAttached(tx, which.companyId, ids);
  return more.length === all.length ? rows : lockSources(tx, { ids: more, ...which });
}

/** These sources, and the attachments of the emails among them. */
export async function withAttached(tx: Transaction, companyId: CompanyId, ids: string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.companyId, companyId), inArray(sources.attachedTo, ids)));
  return [...new Set([...ids, ...rows.map(({ id }) => id)])];
}

const { id, number, sourceType, state, title, contentHash, chunkCount, notice } = sourceVersions;
const { audience, contentCategory, path, metadata, givenMetadata } = sourceVersions;
const hasAttachments = sql<boolean>`exists (select from ragstone.sources attached
  where attached.company_id = source_versions.company_id and attached.attached_to = source_versions.source_id)`;
const latestVersion = {
  ...{ id, number, sourceType, state, title, contentHash, chunkCount, notice, hasAttachments },
  ...{ audience, contentCategory, path, metadata, givenMetadata },
};

type VersionColumns = typeof sourceVersions.$inferSelect;

export interface LatestVersion extends Pick<VersionColumns, keyof typeof latestVersion & keyof VersionColumns> {
  hasAttachments: boolean;
  /** Whether the actor may see the source. */
  isVisible: boolean;
}

interface NamedSources extends InCompany {
  actor: Actor;
  sourceIds: string[];
}

/** The newest version of each source, by caller identifier. Includes deleted sources, which keep their labels. */
export async function latestVersions(tx: Transaction, { companyId, actor, sourceIds }: NamedSources) {
  const isVisible = sql<boolean>`${visibleTo(companyId, actor) ?? sql`true`}`;
  const rows = await tx
    .select({ sourceId: sources.sourceId, ...latestVersion, isVisible })
    .from(sources)
    .innerJoin(sourceVersions, and(eq(sourceVersions.companyId, companyId), eq(id, sources.latestVersionId)))
    .where(and(eq(sources.companyId, companyId), inArray(sources.sourceId, sourceIds)));
  return new Map(rows.map(({ sourceId, ...version }) => [sourceId, version]));
}

export type NewVersion = typeof sourceVersions.$inferInsert & { id: string };

export async function insertVersions(tx: Transaction, values: NewVersion[]): Promise<void> {
  await tx.insert(sourceVersions).values(
    values.map((version) => ({
      ...version,
      questionKey: version.sourceType === "qa" ? questionKey(sql`${version.title}::text`) : null,
    })),
  );
}

/** Makes each `to` version current instead of `from`, with the same chunks. */
export async function copyCurrent(
  tx: Transaction,
  { companyId, copies }: InCompany & { copies: { from: string; to: string }[] },
): Promise<void> {
  if (copies.length === 0) return;
  const pairs = sql`unnest(${uuidArray(copies.map(({ from }) => from))}, ${uuidArray(copies.map(({ to }) => to))})
    as pair (from_id, to_id)`;
  await tx.execute(sql`
    insert into ${versionChunks} (company_id, version_id, position, chunk_id, page)
    select company_id, to_id, position, chunk_id, page from ${versionChunks} join ${pairs} on version_id = from_id
    where company_id = ${companyId}`);
  await tx.execute(sql`
    update ${sources} set current_version_id = to_id from ${pairs}
    where sources.company_id = ${companyId} and current_version_id = from_id`);
  await tx.execute(sql`
    update ${sourceVersions} set state = 'superseded' from ${pairs}
    where source_versions.company_id = ${companyId} and source_versions.id = from_id`);
}

/**
 * Prepares deleted sources that are added again: their deleted version is never served again, and nothing is until the
 * new one is ready.
 */
export async function forgetDeleted(tx: Transaction, { companyId, ids }: InCompany & { ids: string[] }) {
  if (ids.length === 0) return;
  const deleted = and(eq(sources.companyId, companyId), inArray(sources.id, ids));
  const served = tx.select({ id: sources.currentVersionId }).from(sources).where(deleted);
  await tx
    .update(sourceVersions)
    .set({ state: "superseded" })
    .where(and(eq(sourceVersions.companyId, companyId), inArray(sourceVersions.id, served)));
  await tx.update(sources).set({ currentVersionId: null, deletedAt: null }).where(deleted);
}

/**
 * Makes each version the newest one of its source. The pairs are given, because a join of two tables may compare every
 * row with every other in a company that is new to the planner.
 */
export async function pointToLatest(
  tx: Transaction,
  { companyId, pairs }: InCompany & { pairs: { id: string; versionId: string }[] },
): Promise<void> {
  await tx.execute(sql`
    update ${sources} set latest_version_id = pair.version_id, updated_at = now()
    from unnest(
      ${uuidArray(pairs.map(({ id }) => id))},
      ${uuidArray(pairs.map(({ versionId }) => versionId))}
    ) as pair (source_id, version_id)
    where sources.company_id = ${companyId} and sources.id = pair.source_id`);
}
