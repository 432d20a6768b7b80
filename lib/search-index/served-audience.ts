import { sql } from "drizzle-orm";
import { sources, sourceVersions } from "../db/schema/index.ts";

/** The audiences of the served version that the newest version still has. */
export const servedAudience = sql`case when ${sources.latestVersionId} = ${sourceVersions.id}
  then ${sourceVersions.audience} else array(
    select kept.audience from unnest(${sourceVersions.audience}) with ordinality as kept (audience, place)
    where kept.audience = any((select newest.audience from ragstone.source_versions newest
      where newest.company_id = ${sources.companyId} and newest.id = ${sources.latestVersionId})::text[])
    order by kept.place) end`.mapWith(sourceVersions.audience);
