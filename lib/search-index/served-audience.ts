import { type SQL, sql } from "drizzle-orm";
import { sources, sourceVersions } from "../db/schema/index.ts";
import { companyLiteral } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";

/** The audiences of the served version that the newest version still has. */
export function servedAudience(companyId: CompanyId): SQL<string[]> {
  return sql`case when ${sources.latestVersionId} = ${sourceVersions.id}
    then ${sourceVersions.audience} else array(
      select kept.audience from unnest(${sourceVersions.audience}) with ordinality as kept (audience, place)
      where kept.audience = any((select newest.audience from ragstone.source_versions newest
        where newest.company_id = ${companyLiteral(companyId)} and newest.id = ${sources.latestVersionId})::text[])
      order by kept.place) end`.mapWith(sourceVersions.audience);
}
