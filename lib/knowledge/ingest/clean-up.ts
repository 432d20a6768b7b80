import { and, eq, isNull, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import { uuidArray } from "../../db/sql.ts";
import type { CompanyId } from "../../db/tenant.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { withoutUnfinishedJob } from "../../jobs/progress.ts";
import { UNDO_HOURS } from "../values.ts";

/** Maximum number of sources of each kind per hour whose purge is repeated. */
const REPEATED_PURGES = 1_000;
/** Rows read per hour. Most have a job, which ends, so that the next ones are read in a later hour. */
const ROWS_READ = 10_000;

/** Fails versions that earlier releases left without a job, so that they can be retried. */
export async function failVersionsWithoutJob(tx: Transaction, companyId: CompanyId): Promise<void> {
  const isBuilding = and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.state, "building"));
  const building = await tx.select({ id: sourceVersions.id }).from(sourceVersions).where(isBuilding).limit(ROWS_READ);
  const subjectIds = building.map(({ id }) => id);
  const ids = await withoutUnfinishedJob(tx, companyId, { kind: "ingest", subjectIds });
  if (ids.length === 0) return;
  await tx
    .update(sourceVersions)
    .set({ state: "failed", error: "Processing did not finish. Try again." })
    .where(and(isBuilding, sql`${sourceVersions.id} = any(${uuidArray(ids)})`));
}

/** Enqueues the purge of sources that were deleted for good, and of those whose replaced versions are still there. */
export async function enqueuePurges(tx: Transaction, companyId: CompanyId): Promise<void> {
  const undoEnded = sql`${sources.deletedAt} < now() - make_interval(hours => ${UNDO_HOURS})`;
  const deleted = await tx
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.companyId, companyId), undoEnded))
    .limit(ROWS_READ);
  const ids = new Set([...(await idleOf(tx, companyId, deleted)), ...(await sourcesToPurgeAgain(tx, companyId))]);
  await enqueue(
    tx,
    [...ids].map((id) => ({ companyId, kind: "purge", subjectId: id })),
  );
}

/** Sources with replaced versions whose purge failed for good, or that earlier releases did not purge. */
async function sourcesToPurgeAgain(tx: Transaction, companyId: CompanyId): Promise<string[]> {
  const { sourceId, state, purgedAt } = sourceVersions;
  const rows = await tx
    .selectDistinct({ id: sourceId })
    .from(sourceVersions)
    .where(and(eq(sourceVersions.companyId, companyId), eq(state, "superseded"), isNull(purgedAt)))
    .limit(ROWS_READ);
  return idleOf(tx, companyId, rows);
}

/** The sources that no purge is queued for, as many as are purged in an hour. */
async function idleOf(tx: Transaction, companyId: CompanyId, rows: { id: string }[]): Promise<string[]> {
  const subjectIds = rows.map(({ id }) => id);
  const idle = await withoutUnfinishedJob(tx, companyId, { kind: "purge", subjectIds });
  return idle.slice(0, REPEATED_PURGES);
}
