import { and, asc, count, desc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { chunks, sources, sourceVersions, versionChunks } from "../../db/schema/index.ts";
import { containsPattern } from "../../db/sql.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { describeError } from "../../describe-error.ts";
import { notFound } from "../../errors.ts";
import { type JobProgress, jobProgress } from "../../jobs/progress.ts";
import { log } from "../../log.ts";
import { pageWithin } from "../../page.ts";
import { nullIfLost, objectStore } from "../../storage/index.ts";
import { fitsForm } from "../form-content.ts";
import { ofVersion } from "../queries.ts";
import { readMetadata } from "../read-metadata.ts";
import { CHUNKS_PER_PAGE, VERSIONS_SHOWN } from "../values.ts";
import { visibleTo } from "../visible-sources.ts";
import { searchWords } from "./search-words.ts";
import { statusColumn, toServedOrLatest, verificationColumn } from "./source-rows.ts";

const latest = alias(sourceVersions, "latest");

type Source = Awaited<ReturnType<typeof readSource>>;

export interface SourceDetails extends Omit<Source, "latestBody"> {
  /** The caller's part of the metadata. */
  givenMetadata: Record<string, unknown>;
  /** The part of the metadata that was read from the content, such as the sender of an email. */
  readMetadata: Record<string, unknown>;
  /** The uploaded file; null for other sources. */
  file: { name: string; bytes: number } | null;
  /** Alternative phrasings of the question of a Q&A source. */
  alternatives: string[];
  /** Whether its text was typed in or sent as text, and a form can send it, so that it can be edited here. */
  isEditable: boolean;
  progress: JobProgress | null;
  versions: Awaited<ReturnType<typeof readVersions>>;
  /** Chunks of the served version that the search finds, in reading order. */
  chunks: Awaited<ReturnType<typeof readChunks>>;
  /** Chunks that the search finds, on all pages; without a search, all. */
  found: number;
  /** From 1. */
  page: number;
}

/**
 * A source with one page of its chunks.
 * @param options.page from 1; a number past the last page returns the last page
 * @param options.chunkId returns the page with this chunk if the source has it and the search finds it
 * @throws {AppError} NotFound
 */
export async function getSource(
  scope: TenantScope,
  actor: Actor,
  id: string,
  options: { page: number; chunkId: string | null; search?: string },
): Promise<SourceDetails> {
  requireMembership(scope, actor);
  const { companyId } = scope;
  return scope.snapshot(async (tx) => {
    const { latestBody: body, ...source } = await readSource(tx, companyId, id);
    const where = shownChunks(companyId, source.currentVersionId, options.search);
    const place = options.chunkId && (await placeOf(tx, where, options.chunkId, Boolean(options.search)));
    const wanted = typeof place === "number" ? Math.floor(place / CHUNKS_PER_PAGE) + 1 : options.page;
    const found = options.search ? await countChunks(tx, where) : source.chunkCount;
    const { page, ...rows } = pageWithin(wanted, { total: found, pageSize: CHUNKS_PER_PAGE });
    const subjectIds = source.status === "processing" ? [source.versionId] : [];
    const progress = await jobProgress(tx, companyId, { kind: "ingest", subjectIds });
    return {
      ...source,
      givenMetadata: source.givenMetadata ?? source.metadata,
      readMetadata: readMetadata(source),
      file: body.kind === "file" ? { name: body.fileName, bytes: body.bytes } : null,
      alternatives: body.kind === "qa" ? body.alternatives : [],
      isEditable: body.kind !== "file" && fitsForm({ ...body, title: source.title }),
      progress: progress.get(source.versionId) ?? null,
      versions: await readVersions(tx, companyId, id),
      chunks: await readChunks(tx, where, rows),
      found,
      page,
    };
  });
}

/**
 * The original file of the served version, or of the newest version when none is served. Of a deleted source that can be
 * restored, members can still read it.
 * @throws {AppError} NotFound
 */
export async function originalOf(
  scope: TenantScope,
  actor: Actor,
  id: string,
): Promise<{ name: string; stream: ReadableStream<Uint8Array> }> {
  requireMembership(scope, actor, "manage");
  const [row] = await scope.transaction((tx) =>
    tx
      .select({ body: sourceVersions.body })
      .from(sources)
      .innerJoin(sourceVersions, toServedOrLatest)
      .where(
        and(
          ...[eq(sources.companyId, scope.companyId), eq(sources.id, id), visibleTo(scope.companyId, actor)],
          actor.type === "api_key" ? isNull(sources.deletedAt) : undefined,
        ),
      ),
  );
  if (row?.body.kind !== "file") throw notFound("Original");
  const stream = await objectStore()
    .open(row.body.storageKey)
    .catch((error: unknown) => {
      const lost = nullIfLost(error);
      log().warn({ sourceId: id, error: describeError(error) }, "an original file could not be read");
      return lost;
    });
  // an automatic backup has no original files
  if (stream === null) throw notFound("Original");
  return { name: row.body.fileName, stream };
}

async function readSource(tx: Transaction, companyId: CompanyId, id: string) {
  const [source] = await tx
    .select({
      id: sources.id,
      sourceId: sources.sourceId,
      currentVersionId: sources.currentVersionId,
      versionId: latest.id,
      title: latest.title,
      type: latest.sourceType,
      status: statusColumn,
      error: latest.error,
      notice: latest.notice,
      audience: latest.audience,
      category: latest.contentCategory,
      path: latest.path,
      metadata: latest.metadata,
      givenMetadata: latest.givenMetadata,
      latestBody: latest.body,
      /** Chunks of the served version. */
      chunkCount: sql<number>`coalesce((select v.chunk_count from ragstone.source_versions v
        where v.company_id = ${companyId} and v.id = ${sources.currentVersionId}), 0)`,
      createdAt: sources.createdAt,
      updatedAt: sources.updatedAt,
      deletedAt: sources.deletedAt,
      verification: verificationColumn,
      ...{ verifiedAt: sources.verifiedAt, verifiedBy: sources.verifiedBy, verifiedUntil: sources.verifiedUntil },
    })
    .from(sources)
    .innerJoin(latest, and(eq(latest.companyId, sources.companyId), eq(latest.id, sources.latestVersionId)))
    .where(and(eq(sources.companyId, companyId), eq(sources.id, id)));
  if (!source) throw notFound("Source");
  return source;
}

async function readVersions(tx: Transaction, companyId: CompanyId, id: string) {
  const { number, state, chunkCount, error, createdAt, emptiedAt, authorType, authorName } = sourceVersions;
  return tx
    .select({ number, state, chunkCount, error, createdAt, emptiedAt, authorType, authorName })
    .from(sourceVersions)
    .where(and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.sourceId, id)))
    .orderBy(desc(number))
    .limit(VERSIONS_SHOWN);
}

/** The chunks of a version whose text or headings contain every word of a search. */
function shownChunks(companyId: CompanyId, versionId: string | null, search = ""): SQL | undefined {
  if (!versionId) return and(eq(versionChunks.companyId, companyId), sql`false`);
  const words = searchWords(search).map(containsPattern);
  return and(
    ofVersion(companyId, versionId),
    ...words.map(
      (word) => sql`(${chunks.content} ilike ${word} or array_to_string(${chunks.headings}, ' ') ilike ${word})`,
    ),
  );
}

const toChunk = and(eq(chunks.companyId, versionChunks.companyId), eq(chunks.id, versionChunks.chunkId));

async function countChunks(tx: Transaction, where: SQL | undefined): Promise<number> {
  const [row] = await tx.select({ found: count() }).from(versionChunks).innerJoin(chunks, toChunk).where(where);
  return row?.found ?? 0;
}

async function readChunks(
  tx: Transaction,
  where: SQL | undefined,
  { limit, offset }: { limit: number; offset: number },
) {
  return tx
    .select({
      id: chunks.id,
      position: versionChunks.position,
      page: versionChunks.page,
      headings: chunks.headings,
      content: chunks.content,
    })
    .from(versionChunks)
    .innerJoin(chunks, toChunk)
    .where(where)
    .orderBy(asc(versionChunks.position))
    .limit(limit)
    .offset(offset);
}

/** The index of a chunk among those that are shown, from 0; null if it is not among them. */
async function placeOf(tx: Transaction, where: SQL | undefined, chunkId: string, isSearch: boolean) {
  const [chunk] = await tx
    .select({ position: versionChunks.position })
    .from(versionChunks)
    .innerJoin(chunks, toChunk)
    .where(and(where, eq(versionChunks.chunkId, chunkId)));
  if (!chunk) return null;
  return isSearch ? countChunks(tx, and(where, lt(versionChunks.position, chunk.position))) : chunk.position;
}
