import { and, eq, gt, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { jobs } from "../db/schema/index.ts";
import { uuidArray } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";

type NewJob = Pick<typeof jobs.$inferInsert, "companyId" | "kind" | "subjectId" | "runAfter">;

/** Accepts work in the transaction that makes it necessary. */
export async function enqueue(tx: Transaction, values: NewJob[]): Promise<void> {
  if (values.length > 0) await tx.insert(jobs).values(values);
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
