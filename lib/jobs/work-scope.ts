import { sql } from "drizzle-orm";
import { connection, type Transaction } from "../db/client.ts";
import { uuidArray } from "../db/sql.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import type { Job } from "./job.ts";

/** The work's company was deleted while it was done: there is nothing to do for it any more. */
export class CompanyGone extends Error {
  override readonly name = "CompanyGone";
}

/** The worker was silent for longer than its lease, and its jobs are another one's. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** A worker that stops in the middle of a transaction holds the company's lock: the database ends the transaction then. */
const IDLE_IN_TRANSACTION_MS = 15_000;

/** The owner of the embedded database has such a limit of its own, and the engine would not survive this one. */
function idleInTransactionMs(): string {
  return String(connection().embedded ? 0 : IDLE_IN_TRANSACTION_MS);
}

/**
 * The company of these jobs of one claim, as a worker writes to it: every transaction begins with the proof that the lease is still held, and until it
 * ends nobody else can claim the jobs. Its transactions end once the company is deleted, and its deletion waits for those
 * that are open. Vectors and postings refer to no other row, so that nothing else would refuse them.
 * @throws {CompanyGone} @throws {LeaseLost} from every transaction
 */
export function workScope(jobs: Job[]): TenantScope {
  const [first] = jobs;
  if (!first) throw new Error("no job, no company");
  const scope = tenantScope(first.companyId);
  return {
    ...scope,
    transaction: (work) =>
      scope.transaction(async (tx) => {
        await prove(tx, scope.companyId, first.leaseToken, jobs);
        return work(tx);
      }),
  };
}

/** A job that cannot be locked at once is being taken over or deleted. */
async function prove(tx: Transaction, companyId: string, token: string, jobs: Job[]): Promise<void> {
  const [row] = await tx.execute<{ companies: number; held: number }>(sql`
    with company as (
      select id from ragstone.companies where id = ${companyId} for key share
    ), held as (
      select id from ragstone.jobs where company_id = ${companyId} and id = any(${uuidArray(jobs.map(({ id }) => id))})
        and lease_token = ${token} and state = 'running' for key share skip locked
    )
    select (select count(*)::int from company) as companies, (select count(*)::int from held) as held,
      set_config('idle_in_transaction_session_timeout', ${idleInTransactionMs()}, true)`);
  if (!row?.companies) throw new CompanyGone("The company was deleted");
  if (row.held < jobs.length) throw new LeaseLost("Another worker has taken the jobs over");
}
