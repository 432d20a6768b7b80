import { and, eq, gt, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { FIRST_LANE, jobs, WAITING_LANE } from "../db/schema/index.ts";
import { uuidArray } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { Subjects } from "./job.ts";

type NewJob = Pick<typeof jobs.$inferInsert, "companyId" | "kind" | "subjectId" | "runAfter">;

/**
 * Adds jobs in the transaction that makes them necessary, so that both commit or neither. Set `runAfter` only for a job
 * that waits for hours: it starts in the waiting lane.
 */
export async function enqueue(tx: Transaction, values: NewJob[]): Promise<void> {
  if (values.length === 0) return;
  await tx
    .insert(jobs)
    .values(values.map((job) => ({ ...job, lane: job.runAfter ? WAITING_LANE : FIRST_LANE[job.kind] })));
}

/** Makes the deferred jobs of these subjects due now. */
export async function retryNow(tx: Transaction, companyId: CompanyId, { kind, subjectIds }: Subjects): Promise<void> {
  if (subjectIds.length === 0) return;
  await tx
    .update(jobs)
    .set({ runAfter: sql`now()` })
    .where(
      and(
        eq(jobs.companyId, companyId),
        eq(jobs.kind, kind),
        sql`${jobs.subjectId} = any(${uuidArray(subjectIds)})`,
        eq(jobs.state, "queued"),
        gt(jobs.runAfter, sql`now()`),
      ),
    );
}
