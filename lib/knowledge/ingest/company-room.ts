import { and, eq, isNull } from "drizzle-orm";
import { countText } from "../../counted.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { countLiveChunks } from "../../search-index/live-chunks.ts";
import { CHUNKS_PER_COMPANY_MAX, CHUNKS_PER_SOURCE_MAX } from "../limits.ts";
import { UnreadableFile } from "../parse/document.ts";
import type { Version } from "./prepare.ts";

/** How many more chunks the company may have. */
export async function freeChunks({ companyId, transaction }: TenantScope): Promise<number> {
  return Math.max(0, CHUNKS_PER_COMPANY_MAX - (await transaction((tx) => countLiveChunks(tx, companyId))));
}

/**
 * How many chunks a version may have: those that it replaces do not count, so that a full company can still correct its
 * sources.
 */
export async function roomFor(scope: TenantScope, { sourceId }: Version, free: number): Promise<number> {
  // no version has more
  if (free >= CHUNKS_PER_SOURCE_MAX) return free;
  const { companyId } = scope;
  const [served] = await scope.transaction((tx) =>
    tx
      .select({ chunkCount: sourceVersions.chunkCount })
      .from(sources)
      .innerJoin(
        sourceVersions,
        and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, sources.currentVersionId)),
      )
      .where(and(eq(sources.companyId, companyId), eq(sources.id, sourceId), isNull(sources.deletedAt))),
  );
  return free + (served?.chunkCount ?? 0);
}

/** The failure of a source for which the company has no room. */
export function companyFullError(): UnreadableFile {
  const most = countText(CHUNKS_PER_COMPANY_MAX);
  return new UnreadableFile(`The company has reached its limit of ${most} chunks. Delete sources, then try again.`);
}
