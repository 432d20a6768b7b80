import { and, asc, between, eq, isNull } from "drizzle-orm";
import { requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { snapshotNow } from "../../db/read-content.ts";
import { chunks, sources, sourceVersions, versionChunks } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { notFound } from "../../errors.ts";
import { ofVersion } from "../queries.ts";
import { requireVisible } from "../visible-sources.ts";
import { asMarkdown } from "./served-text.ts";

/** More chunks than the longest returned text contains. */
const REACH = 200;

/**
 * The served text of the source that a chunk belongs to, as Markdown: whole, or when it is longer than `charsMax`
 * characters, the part around the chunk.
 * @throws {AppError} NotFound, including when the actor may not see the source
 */
export async function readAround(scope: TenantScope, actor: Actor, chunkId: string, charsMax: number) {
  requireMembership(scope, actor, "retrieve");
  return snapshotNow(scope, async (tx) => {
    const { id, versionId, position, chunkCount, ...source } = await servedChunk(tx, scope.companyId, chunkId);
    await requireVisible(tx, scope.companyId, actor, id);
    const rows = await readNeighbours(tx, scope.companyId, versionId, position);
    const part = widest(
      rows,
      rows.findIndex((row) => row.position === position),
      charsMax,
    );
    return { ...source, text: asMarkdown(part), truncated: part.length < chunkCount };
  });
}

async function servedChunk(tx: Transaction, companyId: CompanyId, chunkId: string) {
  const [row] = await tx
    .select({
      id: sources.id,
      versionId: sourceVersions.id,
      position: versionChunks.position,
      chunkCount: sourceVersions.chunkCount,
      page: versionChunks.page,
      sourceId: sources.sourceId,
      sourceType: sourceVersions.sourceType,
      title: sourceVersions.title,
      path: sourceVersions.path,
      metadata: sourceVersions.metadata,
    })
    .from(versionChunks)
    .innerJoin(
      sourceVersions,
      and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, versionChunks.versionId)),
    )
    .innerJoin(
      sources,
      and(eq(sources.companyId, companyId), eq(sources.currentVersionId, sourceVersions.id), isNull(sources.deletedAt)),
    )
    .where(and(eq(versionChunks.companyId, companyId), eq(versionChunks.chunkId, chunkId)));
  if (!row) throw notFound("Chunk");
  return row;
}

function readNeighbours(tx: Transaction, companyId: CompanyId, versionId: string, position: number) {
  return tx
    .select({ position: versionChunks.position, headings: chunks.headings, content: chunks.content })
    .from(versionChunks)
    .innerJoin(chunks, and(eq(chunks.companyId, companyId), eq(chunks.id, versionChunks.chunkId)))
    .where(and(ofVersion(companyId, versionId), between(versionChunks.position, position - REACH, position + REACH)))
    .orderBy(asc(versionChunks.position));
}

/** The rows around `middle`, taken in turn after and before it, until `charsMax` characters are full. */
function widest<Row extends { content: string }>(rows: Row[], middle: number, charsMax: number): Row[] {
  let [from, to] = [middle, middle + 1];
  let room = charsMax - (rows[middle]?.content.length ?? 0);
  for (let grown = true; grown; ) {
    const [after, before] = [rows[to]?.content.length ?? Infinity, rows[from - 1]?.content.length ?? Infinity];
    grown = false;
    if (after <= room) {
      [room, to, grown] = [room - after, to + 1, true];
    }
    if (before <= room) {
      [room, from, grown] = [room - before, from - 1, true];
    }
  }
  return rows.slice(from, to);
}
