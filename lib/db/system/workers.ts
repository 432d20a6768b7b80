import { and, asc, eq, lt, ne, sql } from "drizzle-orm";
import { connection } from "../client.ts";
import { workers } from "../schema/index.ts";

type WorkerRow = typeof workers.$inferSelect;

/** Uses only the database's clock. A time in the future was written before that clock was set back. */
const isLive = (goneAfterSeconds: number) =>
  sql`abs(extract(epoch from now() - ${workers.seenAt})) < ${goneAfterSeconds}`;

/**
 * Records that a worker runs.
 * @returns the model of a worker that started earlier with another model; null when there is none
 */
export async function renewWorker(
  worker: Pick<WorkerRow, "id" | "model" | "untilIdle">,
  goneAfterSeconds: number,
): Promise<string | null> {
  const { id, model, startedAt, seenAt } = workers;
  const { db } = connection();
  // a worker that its supervisor restarts immediately keeps its start
  const since = sql`case when ${isLive(goneAfterSeconds)} then ${startedAt} else now() end`;
  const [own] = await db
    .insert(workers)
    .values(worker)
    .onConflictDoUpdate({ target: id, set: { model: worker.model, seenAt: sql`now()`, startedAt: since } })
    .returning({ startedAt: sql<string>`${startedAt}::text` });
  await db.delete(workers).where(lt(seenAt, sql`now() - interval '1 day'`));
  if (!own || !worker.model) return null;
  const earlier = sql`(${startedAt}, ${id}) < (${own.startedAt}::timestamptz, ${worker.id}::uuid)`;
  const [other] = await db
    .select({ model })
    .from(workers)
    .where(and(ne(model, worker.model), isLive(goneAfterSeconds), earlier))
    .orderBy(asc(startedAt))
    .limit(1);
  return other?.model ?? null;
}

/** The workers that renewed their row recently, in the order in which they started. */
export async function liveWorkers(goneAfterSeconds: number): Promise<WorkerRow[]> {
  return connection()
    .db.select()
    .from(workers)
    .where(isLive(goneAfterSeconds))
    .orderBy(asc(workers.startedAt), asc(workers.id));
}

export async function deleteWorker(id: string): Promise<void> {
  await connection().db.delete(workers).where(eq(workers.id, id));
}
