import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { sources } from "../db/schema/index.ts";
import { textArray, uuidArray } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { isOrphanedAttachment } from "./live-email.ts";

/** A source by its caller identifier, with the row that a new one gets, and the row of the email that it is attached to. */
export interface NamedSource {
  sourceId: string;
  rowId?: string;
  attachedTo?: string;
}

/** Attaches the attachments of a deleted email to the email that has its name now, so that its attachments replace them. */
export async function adoptAttachments(tx: Transaction, companyId: CompanyId, named: NamedSource[]): Promise<void> {
  const attached = named.flatMap(({ sourceId, attachedTo }) =>
    attachedTo === undefined ? [] : { sourceId, attachedTo },
  );
  if (attached.length === 0) return;
  const isOrphaned = and(
    eq(sources.companyId, companyId),
    sql`${sources.attachedTo} <> all(${uuidArray(attached.map(({ attachedTo }) => attachedTo))})`,
    isOrphanedAttachment(companyId),
  );
  const isNamed = (some: NamedSource[]) =>
    sql`${sources.sourceId} = any(${textArray(some.map(({ sourceId }) => sourceId))})`;
  const orphans = await tx
    .select({ sourceId: sources.sourceId })
    .from(sources)
    .where(and(isOrphaned, isNamed(attached)));
  if (orphans.length === 0) return;
  // all that the transaction changes, in the usual order, so that two transactions cannot deadlock
  await tx
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.companyId, companyId), isNamed(named)))
    .orderBy(sql`${sources.sourceId} collate "C"`)
    .for("update");
  for (const { sourceId, attachedTo } of attached.filter((one) =>
    orphans.some((row) => row.sourceId === one.sourceId),
  )) {
    await tx
      .update(sources)
      .set({ attachedTo })
      .where(and(isOrphaned, eq(sources.sourceId, sourceId)));
  }
}
