import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { createCompany } from "../../lib/companies/service.ts";
import { countText } from "../../lib/counted.ts";
import { closeConnection, connect, connection, setConnection } from "../../lib/db/client.ts";
import { runMaintenance } from "../../lib/db/embedded/housekeeping.ts";
import { migrate } from "../../lib/db/migrate.ts";
import { tenantScope } from "../../lib/db/tenant.ts";
import type { Claim, Job } from "../../lib/jobs/job.ts";
import { claimJobs, finishJobs } from "../../lib/jobs/queue.ts";
import { freshDatabase } from "../../lib/testing/fresh-database.ts";
import { percentiles } from "../measure.ts";
import type { Machine, Measured } from "./machine.ts";

const JOBS = 10_000;
const CLAIM_MS_MAX = 5;
const CLAIMS = { short: 20, full: 120 };

/** Ways in which the jobs are shared among companies. */
const SHARES = [1, 20, 200];

/** Claims jobs as a worker does, from a long queue. */
export const queue: Machine = {
  about: `claims jobs from ${countText(JOBS)} queued ones: each claim takes less than ${CLAIM_MS_MAX} ms`,
  async run({ short }) {
    const dataDir = mkdtempSync(join(tmpdir(), "ragstone-queue-"));
    const database = await freshDatabase(dataDir);
    setConnection(connect(database.target));
    try {
      await migrate();
      const rows: Measured[] = [];
      for (const companies of SHARES) {
        await fillQueue(companies);
        rows.push(await measureClaims(`jobs of ${companies} companies`, short ? CLAIMS.short : CLAIMS.full));
        // the engine knows the size of the table from now on
        await fillQueue(companies);
        if (connection().embedded) await runMaintenance(dataDir);
        rows.push(await measureClaims(`jobs of ${companies} companies, analysed`, short ? CLAIMS.short : CLAIMS.full));
      }
      return rows;
    } finally {
      await closeConnection();
      await database.remove();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};

/** Replaces all jobs by queued ones, shared evenly. */
async function fillQueue(companies: number): Promise<void> {
  const { db } = connection();
  await db.execute(sql`delete from ragstone.jobs`);
  await db.execute(sql`delete from ragstone.companies`);
  const ids: string[] = [];
  for (let index = 0; index < companies; index++) {
    ids.push((await createCompany(CLI_ACTOR, { name: `Company ${index}` })).id);
  }
  await db.execute(sql`
    insert into ragstone.jobs (company_id, kind, subject_id)
    select id, 'ingest', gen_random_uuid() from ragstone.companies, generate_series(1, ${JOBS / companies}::int)`);
}

async function measureClaims(name: string, count: number): Promise<Measured> {
  const times: number[] = [];
  let after: Claim["companyId"] | null = null;
  for (let claims = 0; claims < count; claims++) {
    const started = performance.now();
    const claim = await claimJobs("quick", { after });
    times.push(performance.now() - started);
    after = claim?.companyId ?? null;
    await finish(claim?.jobs ?? []);
  }
  const { p50, p95 } = percentiles(times);
  return {
    promise: `${name}: a claim takes less than ${CLAIM_MS_MAX} ms (median)`,
    measured: `p50 ${p50} ms, p95 ${p95} ms of ${count}`,
    kept: p50 < CLAIM_MS_MAX,
  };
}

async function finish(claimed: Job[]): Promise<void> {
  const [first] = claimed;
  if (!first) return;
  const ids = claimed.map(({ id }) => id);
  const scope = tenantScope(first.companyId);
  await scope.transaction((tx) => finishJobs(tx, scope.companyId, ids));
}
