import { sql } from "drizzle-orm";
import { uuidArray } from "../../lib/db/sql.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";

/** The leases of the workers that process these versions now. */
export async function leasesOf(scope: TenantScope, versionIds: string[]): Promise<string[]> {
  const rows = await scope.transaction((tx) =>
    tx.execute<{ token: string }>(sql`
      select distinct lease_token as token from ragstone.jobs
      where company_id = ${scope.companyId}::uuid and kind = 'ingest' and state = 'running'
        and subject_id = any(${uuidArray(versionIds)})`),
  );
  return rows.map(({ token }) => token);
}

/** Whether a worker that has one of these leases could still write. */
export async function areHeld(scope: TenantScope, leases: string[]): Promise<boolean> {
  const rows = await scope.transaction((tx) =>
    tx.execute(sql`
      select 1 from ragstone.jobs
      where company_id = ${scope.companyId}::uuid and state = 'running' and lease_token = any(${uuidArray(leases)})`),
  );
  return rows.length > 0;
}
