import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { batchesBySize } from "../../db/batches.ts";
import type { Transaction } from "../../db/client.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import { uuidArray } from "../../db/sql.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { describeError } from "../../describe-error.ts";
import { AppError, notFound } from "../../errors.ts";
import type { SourceLabels } from "../../label-changes.ts";
import { log } from "../../log.ts";
import { lockSources } from "../queries.ts";
import type { AudienceChange } from "../values.ts";
import { visibleTo } from "../visible-sources.ts";
import { type Accepted, type AcceptOptions, lockAndAccept } from "./accept.ts";
import { type LabelledSource, type NewLabels, newestTexts } from "./newest-texts.ts";
import type { BulkChange } from "./record-accepted.ts";
import { refuseWidening } from "./refuse-widening.ts";
import { type AttachmentLabels, followEmail, isUndoable } from "./relabel-attachments.ts";

/** New labels of sources. With `add` or `remove`, `audience` holds the audiences to add or remove. */
interface LabelEdit extends Partial<SourceLabels> {
  audienceChange?: AudienceChange;
}

/**
 * Changes the labels of sources; text, chunks and vectors stay. A missing label keeps its value.
 * @returns the sources with these labels, changed or as before. Deleted sources are missing, and so are those that could
 * not be changed after a first batch was done
 * @throws {AppError} Conflict when a source would gain audiences that `widenTo` does not include; no label changes then
 */
export async function relabelSources(
  scope: TenantScope,
  actor: Actor,
  ids: string[],
  { audienceChange = "replace", ...labels }: LabelEdit,
  options: AcceptOptions = {},
): Promise<Accepted[]> {
  requireAdmin(scope, actor, "ingest");
  const { audience: given } = labels;
  if (!given || audienceChange === "replace") return acceptAgain(scope, actor, ids, () => labels, options);
  const newLabels = ({ audience }: Pick<LabelledSource, "audience">) => ({
    ...labels,
    audience: changedAudience(audience, audienceChange, given),
  });
  return acceptAgain(scope, actor, ids, newLabels, options);
}

function changedAudience(audience: string[], change: "add" | "remove", given: string[]): string[] {
  if (change === "add") return [...new Set([...audience, ...given])];
  return audience.filter((each) => !given.includes(each));
}

/**
 * Changes the labels of one source. New audiences need no confirmation here.
 * @throws {AppError} NotFound; PreconditionFailed
 */
export async function relabelSource(
  scope: TenantScope,
  actor: Actor,
  id: string,
  labels: Partial<SourceLabels>,
  options: Pick<AcceptOptions, "ifMatch"> = {},
): Promise<Accepted> {
  return onlyOne(await relabelSources(scope, actor, [id], labels, { ...options, widenTo: "any" }));
}

/**
 * Processes sources again, after a failure or to split them again. Unchanged chunks keep their vectors.
 * @returns the accepted sources. Deleted sources are missing, and so are those that failed after a first batch was done
 */
export async function reindexSources(scope: TenantScope, actor: Actor, ids: string[]): Promise<Accepted[]> {
  requireAdmin(scope, actor, "manage");
  return acceptAgain(scope, actor, ids, () => ({}), { evenIfUnchanged: true });
}

/** Processes one source again. @throws {AppError} NotFound */
export async function reindexSource(scope: TenantScope, actor: Actor, id: string): Promise<Accepted> {
  return onlyOne(await reindexSources(scope, actor, [id]));
}

function onlyOne([accepted]: Accepted[]): Accepted {
  if (!accepted) throw notFound("Source");
  return accepted;
}

/**
 * Restores the labels that sources had before a change, and those of the attachments that followed them. Sources with a
 * newer version are left out. Every admin may undo every change; `lastRelabel` only decides to whom the undo is offered,
 * and for how long.
 * @returns the sources whose labels were restored, and the number of those that were left out
 */
export async function undoRelabel(
  scope: TenantScope,
  actor: Actor,
  relabelId: string,
): Promise<{ undone: Accepted[]; leftOut: number }> {
  requireAdmin(scope, actor);
  const { companyId } = scope;
  const changed = await scope.transaction((tx) => changedSources(tx, companyId, relabelId));
  const before = await scope.transaction((tx) => labelsBefore(tx, companyId, relabelId));
  const newLabels = (source: Pick<LabelledSource, "id" | "relabelId">) =>
    source.relabelId === relabelId ? (before.get(source.id) ?? null) : null;
  // an attachment that did not follow the change would now follow its email to audiences that it never had
  const attachmentLabels: AttachmentLabels = (attachment, changes) =>
    newLabels(attachment) ?? (hasFollowed(attachment, changed) ? followEmail(attachment, changes) : null);
  const undone = await acceptAgain(scope, actor, [...before.keys()], newLabels, { widenTo: "any", attachmentLabels });
  const undoable = [...changed.values()].filter(({ isDeletedAttachment }) => !isDeletedAttachment);
  return { undone, leftOut: undoable.length - undone.length };
}

/**
 * Accepts the newest texts of sources again, with new labels, in batches. An error in the first batch is thrown. A later
 * batch that fails is left out, so that the caller learns what the batches before changed.
 */
async function acceptAgain(
  scope: TenantScope,
  actor: Actor,
  ids: string[],
  newLabels: NewLabels<Pick<LabelledSource, "id" | "audience" | "relabelId">>,
  options: AcceptOptions,
): Promise<Accepted[]> {
  requireAdmin(scope, actor, "ingest");
  const { companyId } = scope;
  const known = await scope.transaction((tx) => changeable(tx, companyId, actor, ids));
  const given = known.map((source) => ({ sourceId: source.sourceId, audience: newLabels(source)?.audience ?? null }));
  await refuseWidening(scope, actor, given, options.widenTo);
  const accepted: Accepted[] = [];
  const bulk: BulkChange = { ...(options.relabelId && { relabelId: options.relabelId }), events: new Map() };
  for (const batch of batchesBySize(known)) {
    try {
      const taken = await scope.changeContent(async (tx) => {
        const rows = await lockSources(tx, { companyId, ids: batch.map(({ id }) => id) });
        const submitted = await newestTexts(tx, companyId, [...rows.values()], newLabels);
        return lockAndAccept(tx, { companyId, actor, lock: async () => rows, submitted }, { ...options, bulk });
      });
      accepted.push(...taken);
    } catch (error) {
      if (accepted.length === 0) throw error;
      log().warn(
        { error: describeError(error), sources: batch.length },
        "knowledge: sources of a large change were left out",
      );
      // the database would refuse the next batch too
      if (!(error instanceof AppError)) break;
    }
  }
  return accepted;
}

function amongIds(ids: string[]): SQL {
  return sql`${sources.id} = any(${uuidArray(ids)})`;
}

/** The sources that the actor may change, with the stored size of their newest text. */
async function changeable(tx: Transaction, companyId: CompanyId, actor: Actor, ids: string[]) {
  const { id: versionId, audience, relabelId } = sourceVersions;
  const bytes = sql<number>`pg_column_size(${sourceVersions.body})`;
  return tx
    .select({ id: sources.id, sourceId: sources.sourceId, audience, relabelId, bytes })
    .from(sources)
    .innerJoin(sourceVersions, and(eq(sourceVersions.companyId, companyId), eq(versionId, sources.latestVersionId)))
    .where(and(eq(sources.companyId, companyId), amongIds(ids), isNull(sources.deletedAt), visibleTo(companyId, actor)))
    .orderBy(sources.sourceId);
}

/** The labels of the previous version, by source, for sources whose newest version a change of labels created. */
async function labelsBefore(tx: Transaction, companyId: CompanyId, relabelId: string) {
  const { sourceId, number, audience, contentCategory, path } = sourceVersions;
  const metadata = sql<Record<string, unknown>>`coalesce(${sourceVersions.givenMetadata}, ${sourceVersions.metadata})`;
  const rows = await tx
    .selectDistinctOn([sourceId], { sourceId, labels: { audience, contentCategory, path, metadata } })
    .from(sourceVersions)
    .innerJoin(sources, and(eq(sources.companyId, companyId), eq(sources.id, sourceId)))
    .where(
      and(
        eq(sourceVersions.companyId, companyId),
        sql`${sources.latestVersionId} in (${versionsOf(tx, companyId, relabelId)})`,
        // an attachment that was also chosen by itself may have been changed twice
        sql`${sourceVersions.relabelId} is distinct from ${relabelId}`,
        isUndoable(companyId, relabelId),
      ),
    )
    .orderBy(sourceId, desc(number));
  return new Map(rows.map((row) => [row.sourceId, row.labels]));
}

interface ChangedSource {
  at: Date;
  /** A deleted attachment follows its email. */
  isDeletedAttachment: boolean;
}

/** The sources that a change of labels relabelled, by their ids, including those with a newer version. */
async function changedSources(tx: Transaction, companyId: CompanyId, relabelId: string) {
  const { sourceId: id, createdAt: at } = sourceVersions;
  const isDeletedAttachment = sql<boolean>`${sources.attachedTo} is not null and ${sources.deletedAt} is not null`;
  const rows = await tx
    .select({ id, at, isDeletedAttachment })
    .from(sourceVersions)
    .innerJoin(sources, and(eq(sources.companyId, companyId), eq(sources.id, id)))
    .where(and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.relabelId, relabelId)));
  return new Map<string, ChangedSource>(rows.map(({ id, ...changed }) => [id, changed]));
}

/** Whether an attachment has labels that its email got by a change. */
function hasFollowed(
  { id, attachedTo, addedAt, versionAt }: LabelledSource,
  changed: Map<string, ChangedSource>,
): boolean {
  const emailChangedAt = changed.get(attachedTo ?? "")?.at;
  if (emailChangedAt === undefined || changed.has(id)) return changed.has(id);
  // it was read from the email after the change, or changed in the same transaction by a release that did not mark it
  return addedAt >= emailChangedAt || Number(versionAt) === Number(emailChangedAt);
}

function versionsOf(tx: Transaction, companyId: CompanyId, relabelId: string) {
  const created = alias(sourceVersions, "created");
  return tx
    .select({ id: created.id })
    .from(created)
    .where(and(eq(created.companyId, companyId), eq(created.relabelId, relabelId)));
}
