import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { sources, sourceVersions } from "../db/schema/index.ts";

/** The titles of sources by the caller's identifier. A source that does not exist has none. */
export async function sourceTitles(
  tx: Transaction,
  companyId: string,
  sourceIds: string[],
): Promise<Map<string, string>> {
  if (sourceIds.length === 0) return new Map();
  const { title } = sourceVersions;
  const rows = await tx
    .select({ sourceId: sources.sourceId, title })
    .from(sources)
    .innerJoin(
      sourceVersions,
      and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, sources.latestVersionId)),
    )
    .where(and(eq(sources.companyId, companyId), inArray(sources.sourceId, sourceIds)));
  return new Map(rows.map(({ sourceId, title }) => [sourceId, title]));
}
