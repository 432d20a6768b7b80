import { and, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { type Actor, requireAdmin } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import { uuidArray } from "../../db/sql.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { notFound } from "../../errors.ts";
import type { SourceLabels } from "../../label-changes.ts";
import { lockSources, type SourceRow } from "../queries.ts";
import type { AudienceChange } from "../values.ts";
import { visibleTo } from "../visible-sources.ts";
import { type Accepted, type AcceptOptions, acceptLocked } from "./accept.ts";
import { givenLabels } from "./add.ts";
import type { BulkChange } from "./record-accepted.ts";
import { refuseWidening } from "./refuse-widening.ts";

/** Small batches, so that the embedded database can run other statements in between. */
const SOURCES_PER_TRANSACTION = 200;
/** As stored, which is compressed. A single text may have 10 MB. */
const BYTES_PER_TRANSACTION = 10_000_000;

/** New labels of sources. With `add` or `remove`, `audience` holds the audiences to add or remove. */
interface LabelEdit extends Partial<SourceLabels> {
  audienceChange?: AudienceChange;
}

/**
 * Changes the labels of sources; text, chunks and vectors stay. A missing label keeps its value.
 * @returns the sources that exist and are not deleted
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
  const edited = new Map(ids.map((id) => [id, labels]));
  if (given && audienceChange !== "replace") {
    for (const { id, audience } of await scope.transaction((tx) => audiencesOf(tx, scope.companyId, ids))) {
      edited.set(id, { ...labels, audience: changedAudience(audience, audienceChange, given) });
    }
  }
  return acceptAgain(scope, actor, edited, options);
}

function changedAudience(audience: string[], change: "add" | "remove", given: string[]): string[] {
  if (change === "add") return [...new Set([...audience, ...given])];
  return audience.filter((each) => !given.includes(each));
}

/** Changes the labels of one source. New audiences need no confirmation here. @throws {AppError} NotFound */
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
 * @returns the sources that exist and are not deleted
 */
export async function reindexSources(scope: TenantScope, actor: Actor, ids: string[]): Promise<Accepted[]> {
  requireAdmin(scope, actor, "manage");
  return acceptAgain(scope, actor, new Map(ids.map((id) => [id, {}])), { evenIfUnchanged: true });
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
 * Restores the labels that sources had before these versions. Sources with a newer version are left out.
 */
export async function undoRelabel(scope: TenantScope, actor: Actor, versionIds: string[]): Promise<Accepted[]> {
  requireAdmin(scope, actor);
  const before = await scope.transaction((tx) => labelsBefore(tx, scope.companyId, versionIds));
  return acceptAgain(scope, actor, before, { widenTo: "any" });
}

function* batchesBySize<Source extends { bytes: number }>(sources: Source[]): Generator<Source[]> {
  let batch: Source[] = [];
  let bytes = 0;
  for (const source of sources) {
    if (
      batch.length === SOURCES_PER_TRANSACTION ||
      (batch.length > 0 && bytes + source.bytes > BYTES_PER_TRANSACTION)
    ) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(source);
    bytes += source.bytes;
  }
  if (batch.length > 0) yield batch;
}

/** Accepts the newest texts of sources again, with new labels. @param labels new labels by row id */
async function acceptAgain(
  scope: TenantScope,
  actor: Actor,
  labels: Map<string, Partial<SourceLabels>>,
  options: AcceptOptions,
): Promise<Accepted[]> {
  requireAdmin(scope, actor, "ingest");
  const { companyId } = scope;
  const known = await scope.transaction((tx) => namesOf(tx, companyId, actor, [...labels.keys()]));
  const given = known.map(({ id, sourceId }) => ({ sourceId, audience: labels.get(id)?.audience ?? null }));
  await refuseWidening(scope, actor, given, options.widenTo);
  const accepted: Accepted[] = [];
  const bulk: BulkChange = new Map();
  for (const batch of batchesBySize(known)) {
    const taken = await scope.changeContent(async (tx) => {
      const rows = await lockSources(tx, { companyId, ids: batch.map(({ id }) => id) });
      const texts = await newestTexts(tx, companyId, [...rows.values()]);
      const submitted = texts.map((text) => ({ ...givenLabels(labels.get(text.id) ?? {}), ...text }));
      return acceptLocked(tx, { companyId, actor, rows, submitted }, { ...options, bulk });
    });
    accepted.push(...taken);
  }
  return accepted;
}

function amongIds(ids: string[]): SQL {
  return sql`${sources.id} = any(${uuidArray(ids)})`;
}

/** The sources that the actor may change, with the stored size of their newest text. */
async function namesOf(tx: Transaction, companyId: CompanyId, actor: Actor, ids: string[]) {
  const bytes = sql<number>`pg_column_size(${sourceVersions.body})`;
  return tx
    .select({ id: sources.id, sourceId: sources.sourceId, bytes })
    .from(sources)
    .innerJoin(
      sourceVersions,
      and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, sources.latestVersionId)),
    )
    .where(and(eq(sources.companyId, companyId), amongIds(ids), isNull(sources.deletedAt), visibleTo(actor)));
}

async function audiencesOf(tx: Transaction, companyId: CompanyId, ids: string[]) {
  return tx
    .select({ id: sources.id, audience: sourceVersions.audience })
    .from(sources)
    .innerJoin(
      sourceVersions,
      and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, sources.latestVersionId)),
    )
    .where(and(eq(sources.companyId, companyId), amongIds(ids)));
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
  // the title of a file is read from the file
  return texts.map((text) => (text.body.kind === "file" ? { ...text, title: null } : text));
}

/** The labels of the previous version, by source, for sources whose newest version is one of these. */
async function labelsBefore(tx: Transaction, companyId: CompanyId, versionIds: string[]) {
  const { sourceId, number, audience, contentCategory, path } = sourceVersions;
  const metadata = sql<Record<string, unknown>>`coalesce(${sourceVersions.givenMetadata}, ${sourceVersions.metadata})`;
  const newest = tx
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.companyId, companyId), sql`${sources.latestVersionId} = any(${uuidArray(versionIds)})`));
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
