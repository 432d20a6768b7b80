import type { Actor } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { companyDefaults } from "../queries.ts";
import { ALTERNATIVES_MAX, hasRoomFor } from "./add-question.ts";
import { differingLabels, labelWords } from "./differing-labels.ts";
import { type AnsweredIn, findRepeated, findSimilar } from "./find-answered.ts";
import type { questionInput } from "./source-input.ts";

const ROWS_AT_ONCE = 200;
/** Maximum number of rows whose meaning is compared too, because each takes as long as a search. */
const ROWS_COMPARED = 50;

/** Where a row is in its file. */
export interface RowPlace {
  /** Its position among all rows of the file, which no other row has. */
  position: number;
  /** Its number as a spreadsheet shows it. Each sheet of a workbook has a row of this number. */
  row: number;
  /** The name of its sheet, in a workbook of several sheets. */
  sheet?: string | undefined;
}

/** A valid row of a file. */
export interface QuestionRow extends RowPlace {
  source: ReturnType<typeof questionInput.parse> & { sourceId: string };
}

/** Another source that answers the question of a row. */
export interface AnsweredRow extends AnsweredIn {
  /** Why the row is added beside that source in any case; null when it may replace its answer. */
  keptBecause: string | null;
}

/**
 * Finds the sources that already answer the questions of new rows, by the position of the row.
 * @param all the valid rows of the file
 * @param fresh the positions of those that are new
 */
export async function findAnsweredRows(
  scope: TenantScope,
  actor: Actor,
  all: QuestionRow[],
  fresh: Set<number>,
): Promise<Map<number, AnsweredRow>> {
  const rows = all.filter(({ position }) => fresh.has(position));
  const found = await findAll(scope, actor, rows);
  const { defaultAudience } = await scope.transaction((tx) => companyDefaults(tx, scope.companyId));
  const named = new Map(all.map((row) => [row.source.sourceId, row]));
  const replacing = new Map<string, QuestionRow>();
  const answered = new Map<number, AnsweredRow>();
  // of several rows that ask the same, the last one replaces the answer
  for (const row of rows.toReversed()) {
    const { position, source } = row;
    const existing = found.get(position);
    if (!existing) continue;
    const keptBecause =
      labelReason({ ...source, audience: source.audience ?? defaultAudience }, existing) ??
      rowReason(named.get(existing.sourceId), "updates that source") ??
      rowReason(replacing.get(existing.sourceId), "replaces that answer") ??
      (hasRoomFor(source, existing) ? null : `a question can have ${ALTERNATIVES_MAX} other phrasings`);
    if (keptBecause === null) replacing.set(existing.sourceId, row);
    answered.set(position, { ...existing, keptBecause });
  }
  return answered;
}

function labelReason(given: Parameters<typeof differingLabels>[0], existing: AnsweredIn): string | null {
  const differs = differingLabels(given, existing);
  return differs.length > 0 ? `that answer has the ${labelWords(differs, existing)}` : null;
}

function rowReason(row: RowPlace | undefined, what: string): string | null {
  return row === undefined ? null : `${rowWords(row)} ${what}`;
}

/** `row 2`, or `row 2 of sheet "Billing"`. */
export function rowWords({ row, sheet }: RowPlace): string {
  return sheet === undefined ? `row ${row}` : `row ${row} of sheet "${sheet}"`;
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
    for (const [index, { position }] of batch.entries()) {
      const same = repeated.get(index);
      if (same) found.set(position, same);
    }
  }
  for (const { position, source } of rows.filter((row) => !found.has(row.position)).slice(0, ROWS_COMPARED)) {
    const similar = await findSimilar(scope, actor, source);
    if (similar) found.set(position, similar);
  }
  return found;
}
