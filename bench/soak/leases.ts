import { sql } from "drizzle-orm";
import { isDatabaseUnavailable } from "../../lib/db/database-outage.ts";
import { uuidArray } from "../../lib/db/sql.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { waitFor } from "./wait.ts";

/** The leases of the workers that process these versions now. */
export async function leasesOf(scope: TenantScope, versionIds: string[]): Promise<string[]> {
  const read = () =>
    scope.transaction((tx) =>
      tx.execute<{ token: string }>(sql`
        select distinct lease_token as token from ragstone.jobs
        where company_id = ${scope.companyId}::uuid and kind = 'ingest' and state = 'running'
          and subject_id = any(${uuidArray(versionIds)})`),
    );
  const rows = await waitFor("the database to answer", () => read().catch(whileUnavailable));
  return rows.map(({ token }) => token);
}

/** Null if an earlier fault broke the connection. */
function whileUnavailable(error: unknown): null {
  if (!isDatabaseUnavailable(error)) throw error;
  return null;
}

/** Whether a worker that has one of these leases could still write. */
export async function anyLeaseIsHeld(scope: TenantScope, leases: string[]): Promise<boolean> {
  const rows = await scope.transaction((tx) =>
    tx.execute(sql`
      select 1 from ragstone.jobs
      where company_id = ${scope.companyId}::uuid and state = 'running' and lease_token = any(${uuidArray(leases)})`),
  );
  return rows.length > 0;
}
