import { sql } from "drizzle-orm";
import { requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { sourceVersions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";

/** With more values than this, typing is faster than choosing from a list. */
const SHOWN_MAX = 200;
/** Like `pathText`. U+001F separates the segments until their slashes are escaped. */
const PATH_TEXT = sql`replace(replace(array_to_string(path, chr(31)), '/', '\\/'), chr(31), ' / ')`;

export interface Labels {
  audiences: string[];
  categories: string[];
  /** Whole paths, written as by `pathText`. */
  paths: string[];
}

/** All labels of a company's sources, in alphabetical order. */
export async function listLabels(scope: TenantScope, actor: Actor): Promise<Labels> {
  requireMembership(scope, actor);
  const { companyId, transaction } = scope;
  const found = await transaction((tx) =>
    tx.execute<{ kind: keyof Labels; label: string }>(sql`
      with current_versions as (
        select ${sourceVersions.audience}, ${sourceVersions.contentCategory}, ${sourceVersions.path}
        from ${sourceVersions}
        where ${sourceVersions.companyId} = ${companyId} and ${sourceVersions.state} = 'current'
      )
      (select distinct 'audiences' as kind, unnest(audience) as label from current_versions order by label limit ${SHOWN_MAX})
      union all
      (select distinct 'categories', content_category as label from current_versions order by label limit ${SHOWN_MAX})
      union all
      (select distinct 'paths', ${PATH_TEXT} as label from current_versions
        where cardinality(path) > 0 order by label limit ${SHOWN_MAX})
    `),
  );
  const of = (kind: keyof Labels) => found.flatMap((row) => (row.kind === kind ? [row.label] : []));
  return { audiences: of("audiences"), categories: of("categories"), paths: of("paths") };
}
