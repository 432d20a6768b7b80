import type { Actor } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { companySettings } from "../queries.ts";
import { differingLabels, labelWords } from "./differing-labels.ts";
import { type AnsweredIn, findRepeated, findSimilar } from "./same-question.ts";
import type { questionInput } from "./source-input.ts";

const ROWS_AT_ONCE = 200;
/** Maximum number of rows whose meaning is compared too, because each takes as long as a search. */
const ROWS_COMPARED = 50;

/** A valid row of a file, with its number as a spreadsheet shows it. */
export interface QuestionRow {
  row: number;
  source: ReturnType<typeof questionInput.parse> & { sourceId: string };
}

/** Another source that answers the question of a row. */
export interface AnsweredRow extends AnsweredIn {
  /** Why the row is added beside that source in any case; null when it may replace its answer. */
  keptBecause: string | null;
}

/**
 * Finds the sources that already answer the questions of new rows, by row.
 * @param all the valid rows of the file
 * @param fresh the numbers of those that are new
 */
export async function findAnsweredRows(
  scope: TenantScope,
  actor: Actor,
  all: QuestionRow[],
  fresh: Set<number>,
): Promise<Map<number, AnsweredRow>> {
  const rows = all.filter(({ row }) => fresh.has(row));
  const found = await findAll(scope, actor, rows);
  const { defaultAudience } = await scope.transaction((tx) => companySettings(tx, scope.companyId));
  const named = new Map(all.map(({ row, source }) => [source.sourceId, row]));
  const replacing = new Map<string, number>();
  const answered = new Map<number, AnsweredRow>();
  // of several rows that ask the same, the last one replaces the answer
  for (const { row, source } of rows.toReversed()) {
    const existing = found.get(row);
    if (!existing) continue;
    const keptBecause =
      labelReason({ ...source, audience: source.audience ?? defaultAudience }, existing) ??
      rowReason(named.get(existing.sourceId), "updates that source") ??
      rowReason(replacing.get(existing.sourceId), "replaces that answer");
    if (keptBecause === null) replacing.set(existing.sourceId, row);
    answered.set(row, { ...existing, keptBecause });
  }
  return answered;
}

function labelReason(given: Parameters<typeof differingLabels>[0], existing: AnsweredIn): string | null {
  const differs = differingLabels(given, existing);
  return differs.length > 0 ? `that answer has the ${labelWords(differs, existing)}` : null;
}

function rowReason(row: number | undefined, what: string): string | null {
  return row === undefined ? null : `row ${row} ${what}`;
}

async function findAll(scope: TenantScope, actor: Actor, rows: QuestionRow[]): Promise<Map<number, AnsweredIn>> {
  const found = new Map<number, AnsweredIn>();
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const batch = rows.slice(start, start + ROWS_AT_ONCE);
    const repeated = await findRepeated(
      scope,
      actor,
      batch.map(({ source }) => source),
    );
    for (const [index, { row }] of batch.entries()) {
      const same = repeated.get(index);
      if (same) found.set(row, same);
    }
  }
  for (const { row, source } of rows.filter(({ row }) => !found.has(row)).slice(0, ROWS_COMPARED)) {
    const similar = await findSimilar(scope, actor, source);
    if (similar) found.set(row, similar);
  }
  return found;
}
