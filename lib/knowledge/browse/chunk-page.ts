import { and, asc, between, desc, eq, sql } from "drizzle-orm";
import { requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { chunks, returnedChunks, sources, sourceVersions, versionChunks } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { notFound } from "../../errors.ts";
import { ofVersion } from "../queries.ts";

/** Chunks that a chunk's page shows before it, and after it. */
const NEIGHBOURS = 2;

export type ChunkDetails = Awaited<ReturnType<typeof getChunk>>;

/**
 * A chunk with its neighbours, in the served version of its source, or else in the newest version that has the chunk.
 * Without any such version, `place` is null and the text is the one that a logged request returned.
 * @throws {AppError} NotFound
 */
export async function getChunk(scope: TenantScope, actor: Actor, chunkId: string) {
  requireMembership(scope, actor);
  const { companyId } = scope;
  return scope.snapshot(async (tx) => {
    const place = await findPlace(tx, companyId, chunkId);
    const text =
      (await readText(tx, companyId, chunkId, chunks)) ?? (await readText(tx, companyId, chunkId, returnedChunks));
    if (!text) throw notFound("Chunk");
    const source = await readSource(tx, companyId, text.sourceId);
    // the chunks of a question all hold the same answer
    const hasNeighbours = place !== null && source.type === "document";
    const neighbours = hasNeighbours ? await readNeighbours(tx, companyId, place) : [];
    return { id: chunkId, ...text, place, neighbours, source };
  });
}

async function findPlace(tx: Transaction, companyId: CompanyId, chunkId: string) {
  const { id, number, state, createdAt, chunkCount, audience, contentCategory, path } = sourceVersions;
  const isServed = sql<boolean>`coalesce(${sources.currentVersionId} = ${id}, false)`;
  const [place] = await tx
    .select({
      position: versionChunks.position,
      page: versionChunks.page,
      isServed,
      version: { id, number, state, createdAt, chunkCount, audience, contentCategory, path },
    })
    .from(versionChunks)
    .innerJoin(sourceVersions, and(eq(sourceVersions.companyId, companyId), eq(id, versionChunks.versionId)))
    .innerJoin(sources, and(eq(sources.companyId, companyId), eq(sources.id, sourceVersions.sourceId)))
    .where(and(eq(versionChunks.companyId, companyId), eq(versionChunks.chunkId, chunkId)))
    .orderBy(desc(isServed), desc(number), asc(versionChunks.position))
    .limit(1);
  return place ?? null;
}

async function readText(
  tx: Transaction,
  companyId: CompanyId,
  chunkId: string,
  table: typeof chunks | typeof returnedChunks,
) {
  const { sourceId, headings, content } = table;
  const [text] = await tx
    .select({ sourceId, headings, content })
    .from(table)
    .where(and(eq(table.companyId, companyId), eq(table.id, chunkId)));
  return text;
}

async function readSource(tx: Transaction, companyId: CompanyId, sourceId: string) {
  const { title, sourceType } = sourceVersions;
  const [source] = await tx
    .select({ id: sources.id, sourceId: sources.sourceId, deletedAt: sources.deletedAt, title, type: sourceType })
    .from(sources)
    .innerJoin(
      sourceVersions,
      and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, sources.latestVersionId)),
    )
    .where(and(eq(sources.companyId, companyId), eq(sources.id, sourceId)));
  if (!source) throw notFound("Chunk");
  return source;
}

type Place = NonNullable<Awaited<ReturnType<typeof findPlace>>>;

/** The chunk and those around it, in reading order. */
function readNeighbours(tx: Transaction, companyId: CompanyId, { position, version }: Place) {
  const { id, headings, content } = chunks;
  return tx
    .select({ id, position: versionChunks.position, page: versionChunks.page, headings, content })
    .from(versionChunks)
    .innerJoin(chunks, and(eq(chunks.companyId, companyId), eq(id, versionChunks.chunkId)))
    .where(
      and(
        ofVersion(companyId, version.id),
        between(versionChunks.position, position - NEIGHBOURS, position + NEIGHBOURS),
      ),
    )
    .orderBy(asc(versionChunks.position));
}
