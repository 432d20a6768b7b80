import { sql } from "drizzle-orm";
import type { KeyPolicy } from "../db/stored-json.ts";
import type { TenantScope } from "../db/tenant.ts";
import { notFound } from "../errors.ts";
import { filterCondition } from "../search-index/source-filters.ts";
import { applyPolicy } from "./apply-policy.ts";
import type { RetrieveRequest } from "./schema.ts";

const TABLES = { source: sql`s`, version: sql`v` };

/**
 * Checks that the path of a request has a source that the policy allows, even one that is still processing.
 * @throws {AppError} NotFound
 */
export async function requireSourceAt(scope: TenantScope, request: RetrieveRequest, policy: KeyPolicy): Promise<void> {
  const { path } = request.filters;
  const { filters } = applyPolicy(policy, { ...request, filters: { ...(path && { path }) } });
  if (filters === "nothing") throw notFound("Knowledge");
  const [found] = await scope.transaction((tx) =>
    tx.execute(sql`
      select 1 from ragstone.sources s
      join ragstone.source_versions v
        on v.company_id = s.company_id and v.id = coalesce(s.current_version_id, s.latest_version_id)
      where s.company_id = ${scope.companyId} and s.deleted_at is null and ${filterCondition(scope.companyId, TABLES, filters)}
      limit 1`),
  );
  if (!found) throw notFound("Knowledge");
}
