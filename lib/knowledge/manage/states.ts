import { and, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { sources } from "../../db/schema/index.ts";
import { uuidArray } from "../../db/sql.ts";
import type { CompanyId } from "../../db/tenant.ts";
import { current, latest, listedCondition, rowColumns, toCurrent, toLatest } from "../browse/source-rows.ts";
import { visibleTo } from "../visible-sources.ts";
import { progressByVersion, shownProgress } from "./list.ts";
import type { sourceState } from "./responses.ts";

export type SourceState = z.input<typeof sourceState>;

/** The states of the sources that the actor may see, in the order of their ids. */
export async function readStates(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  ids: string[],
): Promise<SourceState[]> {
  const { id, sourceId, versionId, status, error, notice, chunks } = rowColumns;
  const rows = await tx
    .select({ id, sourceId, versionId, status, error, notice, chunks })
    .from(sources)
    .innerJoin(latest, toLatest)
    .leftJoin(current, toCurrent)
    .where(and(listedCondition(companyId), sql`${sources.id} = any(${uuidArray(ids)})`, visibleTo(companyId, actor)));
  const progress = await progressByVersion(tx, companyId, rows);
  const states = new Map(
    rows.map((row) => [row.id, { ...row, progress: shownProgress(progress.get(row.versionId)) }] as const),
  );
  return [...new Set(ids)].flatMap((each) => states.get(each) ?? []);
}
