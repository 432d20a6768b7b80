import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { setHangLimits } from "../db/hang-limits.ts";
import { companyLiteral, textLiteral, uuidArray, uuidsLiteral } from "../db/sql.ts";
import { type CompanyId, type TenantScope, tenantScope } from "../db/tenant.ts";
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
 * The tenant scope in which a worker writes for the jobs of one claim. Each transaction that may write first checks the
 * lease and locks all the jobs, so nobody else can claim them until it ends; `write` locks only one of them. Both also
 * lock the company's row: they fail once the company is deleted, and its deletion waits for them. No foreign key would
 * stop the vectors and postings of a deleted company.
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
    async write<Row extends object>(statements: SQL[]) {
      const check = leaseCheck(scope.companyId, jobs, first.leaseToken);
      return scope.write<Row>([check, ...statements]).catch((error: unknown) => {
        throw refusalOf(error) ?? error;
      });
    },
  };
}

/** SQLSTATE codes of the check in a message. */
const REFUSAL_CODES = { company: "RGC01", lease: "RGL01" };

/**
 * A statement that fails unless the lease is held; its failure undoes the whole message. It also limits how long the
 * statements after it may take. It locks only one job, because what a message writes is used only after a transaction that
 * locks all of them.
 */
function leaseCheck(companyId: CompanyId, jobs: Job[], token: string): SQL {
  return sql`do $check$ begin
    perform from ragstone.companies where id = ${companyLiteral(companyId)} for key share;
    if not found then raise sqlstate '${sql.raw(REFUSAL_CODES.company)}'; end if;
    perform from ragstone.jobs where company_id = ${companyLiteral(companyId)} and id = any(${uuidsLiteral(jobs.map(({ id }) => id))})
      and lease_token = ${textLiteral(token)} and state = 'running' limit 1 for key share skip locked;
    if not found then raise sqlstate '${sql.raw(REFUSAL_CODES.lease)}'; end if;
    perform ${setHangLimits()};
  end $check$`;
}

function refusalOf(error: unknown): Error | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === REFUSAL_CODES.company) return companyGone();
  return code === REFUSAL_CODES.lease ? leaseLost() : null;
}

function companyGone(): CompanyGone {
  return new CompanyGone("The company was deleted");
}

function leaseLost(): LeaseLost {
  return new LeaseLost("Another worker has taken over the jobs");
}

/** A job that cannot be locked immediately is being requeued or deleted. */
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
  if (!row?.companies) throw companyGone();
  if (row.held < jobs.length) throw leaseLost();
}
