import { and, count, eq, ilike, inArray } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { sources } from "../db/schema/index.ts";
import { containsPattern } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { latest, toLatest } from "../knowledge/browse/source-rows.ts";

/**
 * What people call sources, by the caller's identifier: the title, with the identifier where sources share a title, and
 * a mark on deleted ones. A source that never existed has no name.
 */
export async function sourceNames(
  tx: Transaction,
  companyId: CompanyId,
  sourceIds: string[],
): Promise<Map<string, string>> {
  if (sourceIds.length === 0) return new Map();
  const { sourceId, deletedAt } = sources;
  const own = eq(sources.companyId, companyId);
  const rows = await tx
    .select({ sourceId, deletedAt, title: latest.title })
    .from(sources)
    .innerJoin(latest, toLatest)
    .where(and(own, inArray(sourceId, sourceIds)));
  const titles = rows.map(({ title }) => title);
  const holders = await tx
    .select({ title: latest.title, sources: count() })
    .from(sources)
    .innerJoin(latest, toLatest)
    .where(and(own, inArray(latest.title, titles)))
    .groupBy(latest.title);
  const shared = new Set(holders.flatMap((holder) => (holder.sources > 1 ? holder.title : [])));
  return new Map(
    rows.map(({ sourceId, deletedAt, title }) => {
      const details = [shared.has(title) && sourceId, deletedAt && "deleted"].filter(Boolean).join(", ");
      return [sourceId, details ? `“${title}” (${details})` : `“${title}”`];
    }),
  );
}

/** The identifiers of the sources whose title contains a text, as a subquery. */
export function sourcesTitled(tx: Transaction, companyId: CompanyId, text: string) {
  return tx
    .select({ sourceId: sources.sourceId })
    .from(sources)
    .innerJoin(latest, toLatest)
    .where(and(eq(sources.companyId, companyId), ilike(latest.title, containsPattern(text))));
}
