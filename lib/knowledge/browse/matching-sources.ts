import { and, type SQL, sql } from "drizzle-orm";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { countText } from "../../counted.ts";
import { sources } from "../../db/schema/index.ts";
import { uuidArray } from "../../db/sql.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { AppError } from "../../errors.ts";
import { SOURCES_CHANGED_AT_ONCE } from "../limits.ts";
import type { SourceFilter } from "./browse-query.ts";
import { labelConditions, latest, listedCondition, searchCondition, toLatest } from "./source-rows.ts";

/**
 * The row ids of all sources that pass a filter, to change them together.
 * @throws {AppError} Conflict when there are too many for one change
 */
export async function matchingSources(scope: TenantScope, actor: Actor, filter: SourceFilter): Promise<string[]> {
  const ids = await readMatching(scope, actor, filter);
  if (ids.length > SOURCES_CHANGED_AT_ONCE) {
    const [found, most] = [ids.length, SOURCES_CHANGED_AT_ONCE].map(countText);
    throw new AppError("Conflict", `${found} sources match. Narrow the filters to ${most} sources at most.`);
  }
  return ids;
}

/** The given sources that still pass the filter by which they were chosen. */
export function stillMatching(
  scope: TenantScope,
  actor: Actor,
  ids: string[],
  filter: SourceFilter,
): Promise<string[]> {
  return readMatching(scope, actor, filter, sql`${sources.id} = any(${uuidArray(ids)})`);
}

async function readMatching(scope: TenantScope, actor: Actor, filter: SourceFilter, among?: SQL): Promise<string[]> {
  requireAdmin(scope, actor);
  const { companyId } = scope;
  return scope.snapshot(async (tx) => {
    const found = filter.search ? await searchCondition(tx, { companyId, text: filter.search }) : undefined;
    const rows = await tx
      .select({ id: sources.id })
      .from(sources)
      .innerJoin(latest, toLatest)
      .where(and(listedCondition(companyId, found), ...labelConditions(filter), among));
    return rows.map(({ id }) => id);
  });
}
