import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { type Actor, requireAdmin } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { notFound } from "../../errors.ts";
import type { GivenLabels, SourceLabels } from "../../label-changes.ts";
import { batches } from "../../search-index/write-chunks.ts";
import { lockSources, type SourceRow } from "../queries.ts";
import { type Accepted, type AcceptOptions, takeIn } from "./accept.ts";
import { refuseWidening } from "./refuse-widening.ts";

/** Few, because each may be of 10 MB. */
const TEXTS_PER_TRANSACTION = 50;
const NO_LABELS: GivenLabels = { audience: null, contentCategory: null, path: null, metadata: null };

/**
 * Gives sources other labels; their text, chunks and vectors stay. What is absent stays as it is.
 * @returns the sources that are there and not deleted
 * @throws {AppError} Conflict when one would gain audiences that `widenTo` does not name: no label is changed then
 */
export async function relabelSources(
  scope: TenantScope,
  actor: Actor,
  ids: string[],
  labels: Partial<SourceLabels>,
  options: AcceptOptions = {},
): Promise<Accepted[]> {
  return offerAgain(scope, actor, new Map(ids.map((id) => [id, labels])), options);
}

/** The labels of one source, as somebody sees and changes them. @throws {AppError} NotFound */
export async function relabelSource(
  scope: TenantScope,
  actor: Actor,
  id: string,
  labels: Partial<SourceLabels>,
): Promise<void> {
  const relabelled = await relabelSources(scope, actor, [id], labels, { widenTo: "any" });
  if (relabelled.length === 0) throw notFound("Source");
}

/**
 * Reads sources again, after a failure or to have them cut anew: chunks that come out the same keep their vectors.
 * @returns those that are there and not deleted
 */
export async function reindexSources(scope: TenantScope, actor: Actor, ids: string[]): Promise<Accepted[]> {
  return offerAgain(scope, actor, new Map(ids.map((id) => [id, {}])), { evenIfUnchanged: true });
}

/** @throws {AppError} NotFound */
export async function reindexSource(scope: TenantScope, actor: Actor, id: string): Promise<void> {
  if ((await reindexSources(scope, actor, [id])).length === 0) throw notFound("Source");
}

/**
 * Gives sources the labels back that they had before these versions; those that have a newer version by now are left
 * out.
 */
export async function undoRelabel(scope: TenantScope, actor: Actor, versionIds: string[]): Promise<Accepted[]> {
  requireAdmin(scope, actor);
  const before = await scope.transaction((tx) => labelsBefore(tx, scope.companyId, versionIds));
  return offerAgain(scope, actor, before, { widenTo: "any" });
}

/** Offers the newest text of sources again, by row, with what is said of them now. */
async function offerAgain(
  scope: TenantScope,
  actor: Actor,
  labels: Map<string, Partial<SourceLabels>>,
  options: AcceptOptions,
): Promise<Accepted[]> {
  requireAdmin(scope, actor);
  const { companyId } = scope;
  const known = await scope.transaction((tx) => namesOf(tx, companyId, [...labels.keys()]));
  const given = known.map(({ id, sourceId }) => ({ sourceId, audience: labels.get(id)?.audience ?? null }));
  await refuseWidening(scope, actor, given, options.widenTo);
  const accepted: Accepted[] = [];
  for (const batch of batches(known, TEXTS_PER_TRANSACTION)) {
    const taken = await scope.transaction(async (tx) => {
      const rows = await lockSources(tx, { companyId, ids: batch.map(({ id }) => id) });
      const texts = await newestTexts(tx, companyId, [...rows.values()]);
      const offers = texts.map((text) => ({ ...NO_LABELS, ...labels.get(text.id), ...text }));
      return takeIn(tx, { companyId, actor, rows, offers }, options);
    });
    accepted.push(...taken);
  }
  return accepted;
}

async function namesOf(tx: Transaction, companyId: CompanyId, ids: string[]) {
  return tx
    .select({ id: sources.id, sourceId: sources.sourceId })
    .from(sources)
    .where(and(eq(sources.companyId, companyId), inArray(sources.id, ids), isNull(sources.deletedAt)));
}

async function newestTexts(tx: Transaction, companyId: CompanyId, rows: SourceRow[]) {
  const { sourceType, title, body } = sourceVersions;
  const texts = await tx
    .select({ id: sources.id, sourceId: sources.sourceId, sourceType, title, body })
    .from(sources)
    .innerJoin(
      sourceVersions,
      and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, sources.latestVersionId)),
    )
    .where(
      and(
        eq(sources.companyId, companyId),
        inArray(
          sources.id,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(sources.sourceId);
  // a file says its title itself
  return texts.map((text) => (text.body.kind === "file" ? { ...text, title: null } : text));
}

/** By source, the labels of the version before; of those whose newest version is among these. */
async function labelsBefore(tx: Transaction, companyId: CompanyId, versionIds: string[]) {
  const { sourceId, number, audience, contentCategory, path, metadata } = sourceVersions;
  const newest = tx
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.companyId, companyId), inArray(sources.latestVersionId, versionIds)));
  const rows = await tx
    .selectDistinctOn([sourceId], { sourceId, labels: { audience, contentCategory, path, metadata } })
    .from(sourceVersions)
    .innerJoin(sources, and(eq(sources.companyId, companyId), eq(sources.id, sourceId)))
    .where(
      and(
        eq(sourceVersions.companyId, companyId),
        inArray(sourceId, newest),
        sql`${sourceVersions.id} <> ${sources.latestVersionId}`,
      ),
    )
    .orderBy(sourceId, desc(number));
  return new Map(rows.map((row) => [row.sourceId, row.labels]));
}
