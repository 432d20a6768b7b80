import { and, eq, gt, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { jobs } from "../db/schema/index.ts";
import { uuidArray } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { Lane } from "./job.ts";

type NewJob = Pick<typeof jobs.$inferInsert, "companyId" | "kind" | "subjectId" | "runAfter">;

/** Accepts work in the transaction that makes it necessary. A source that turns out to be large changes its lane later. */
export async function enqueue(tx: Transaction, values: NewJob[]): Promise<void> {
  if (values.length === 0) return;
  await tx.insert(jobs).values(values.map((job) => ({ ...job, lane: laneOf(job) })));
}

function laneOf({ kind }: NewJob): Lane {
  return kind === "ingest" ? "quick" : "slow";
}

/** Someone asks again for versions whose building was put off: their next try is now. */
export async function hasten(tx: Transaction, companyId: CompanyId, versionIds: string[]): Promise<void> {
  if (versionIds.length === 0) return;
  await tx
    .update(jobs)
    .set({ runAfter: sql`now()` })
    .where(
      and(
        eq(jobs.companyId, companyId),
        eq(jobs.kind, "ingest"),
        sql`${jobs.subjectId} = any(${uuidArray(versionIds)})`,
        eq(jobs.state, "queued"),
        gt(jobs.runAfter, sql`now()`),
      ),
    );
}
