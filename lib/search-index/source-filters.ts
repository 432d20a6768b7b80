import { type SQL, sql } from "drizzle-orm";
import type { SourceType } from "../db/column-values.ts";
import { textArray } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { Where } from "./condition.ts";
import { compileWhere, type TableNames } from "./where.ts";

/** The filters of a search. A missing entry restricts nothing; a list is never empty. */
export interface EffectiveFilters {
  /** The source is meant for at least one of these audiences. */
  audience?: string[];
  sourceTypes?: SourceType[];
  contentCategory?: string[];
  /** The source's path begins with these segments. */
  path?: string[];
  /** Conditions on labels and metadata. */
  metadata?: Where;
}

/**
 * The condition for sources that pass the filters: both the named version and the newest one must pass, so narrower
 * labels apply as soon as they are accepted, even while the newest version is processing or after it failed.
 * @param names.version the served version, or the newest one of a source that has none
 */
export function filterCondition(companyId: CompanyId, { source, version }: TableNames, filters: EffectiveFilters): SQL {
  return sql`${matches({ source, version }, filters)} and (${source}.latest_version_id = ${version}.id or exists (
    select from ragstone.source_versions newest
    where newest.company_id = ${companyId} and newest.id = ${source}.latest_version_id
      and ${matches({ source, version: sql`newest` }, filters)}))`;
}

function matches(
  { source, version }: TableNames,
  { audience, sourceTypes, contentCategory, path, metadata }: EffectiveFilters,
): SQL {
  const conditions = [sql`true`];
  if (audience) conditions.push(sql`${version}.audience && ${textArray(audience)}`);
  if (sourceTypes) conditions.push(sql`${version}.source_type = any(${textArray(sourceTypes)})`);
  if (contentCategory) conditions.push(sql`${version}.content_category = any(${textArray(contentCategory)})`);
  if (path) conditions.push(sql`${version}.path[1:${path.length}::int] = ${textArray(path)}`);
  if (metadata) conditions.push(compileWhere(metadata, { source, version }));
  return sql.join(conditions, sql` and `);
}
