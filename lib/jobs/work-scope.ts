import { sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { setHangLimits } from "../db/hang-limits.ts";
import { uuidArray } from "../db/sql.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import type { Job } from "./job.ts";

/** The company was deleted while a worker had its jobs, so the work is discarded. */
export class CompanyGone extends Error {
  override readonly name = "CompanyGone";
}

/** The worker sent no heartbeat for longer than its lease, and another worker has its jobs. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/**
 * The tenant scope in which a worker writes for jobs of one claim. Every transaction that writes first checks that the
 * lease is held, and until it ends nobody else can claim the jobs. It also locks the company's row: transactions fail once the
 * company is deleted, and the deletion waits for open ones. Nothing else would refuse the vectors and postings of a
 * deleted company, because they have no foreign key.
 * @throws {CompanyGone} @throws {LeaseLost} from every such transaction
 */
export function workScope(jobs: Job[]): TenantScope {
  const [first] = jobs;
  if (!first) throw new Error("a work scope needs a job");
  const scope = tenantScope(first.companyId);
  // awaited, because work may also delete files, which no rollback brings back
  const withLease =
    <Result>(work: (tx: Transaction) => Promise<Result>) =>
    async (tx: Transaction) => {
      await requireLease(tx, scope.companyId, first.leaseToken, jobs);
      return work(tx);
    };
  return {
    ...scope,
    transaction: (work) => scope.transaction(withLease(work)),
    changeContent: (work) => scope.changeContent(withLease(work)),
  };
}

/** A job that cannot be locked at once is being requeued or deleted. */
async function requireLease(tx: Transaction, companyId: string, token: string, jobs: Job[]): Promise<void> {
  const [row] = await tx.execute<{ companies: number; held: number }>(sql`
    with company as (
      select id from ragstone.companies where id = ${companyId} for key share
    ), held as (
      select id from ragstone.jobs where company_id = ${companyId} and id = any(${uuidArray(jobs.map(({ id }) => id))})
        and lease_token = ${token} and state = 'running' for key share skip locked
    )
    select (select count(*)::int from company) as companies, (select count(*)::int from held) as held,
      ${setHangLimits()}`);
  if (!row?.companies) throw new CompanyGone("The company was deleted");
  if (row.held < jobs.length) throw new LeaseLost("Another worker has taken over the jobs");
}
