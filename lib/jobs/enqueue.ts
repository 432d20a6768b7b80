import type { Transaction } from "../db/client.ts";
import { jobs } from "../db/schema/index.ts";

type NewJob = Pick<typeof jobs.$inferInsert, "companyId" | "kind" | "subjectId" | "runAfter">;

/** Accepts work in the transaction that makes it necessary. */
export async function enqueue(tx: Transaction, values: NewJob[]): Promise<void> {
  if (values.length > 0) await tx.insert(jobs).values(values);
}
