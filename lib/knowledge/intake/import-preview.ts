import { and, eq, inArray } from "drizzle-orm";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import type { LabelChange } from "../../label-changes.ts";
import { QUESTION_ROWS_MAX } from "../limits.ts";
import { UnreadableFile } from "../parse/document.ts";
import type { FileInput } from "../parse/index.ts";
import { companyDefaults, latestVersions } from "../queries.ts";
import type { Accepted, AcceptOptions } from "./accept.ts";
import { addSources, toSubmittedSource } from "./add.ts";
import { asMerged } from "./add-question.ts";
import { type AnsweredRow, findAnsweredRows, type QuestionRow, type RowPlace, rowWords } from "./answered-rows.ts";
import { planAcceptance } from "./plan-acceptance.ts";
import { NO_QUESTIONS, openQuestions } from "./read-bulk.ts";
import type { questionInput, SourceInput } from "./source-input.ts";
import { gainedAudiences, type Widening, wideningOf } from "./widening.ts";

const ROWS_AT_ONCE = 200;
/** Rows shown of each state. The counts include all rows. */
const ROWS_SHOWN = 100;

export type QuestionLabels = Pick<SourceInput, "audience" | "contentCategory" | "path"> &
  Partial<Pick<SourceInput, "metadata">>;

export type PreviewState = "new" | "changed" | "unchanged" | "invalid";

/** One row of the file. */
export type PreviewRow = RowPlace &
  (
    | { state: "invalid"; error: string }
    | {
        state: Exclude<PreviewState, "invalid">;
        question: string;
        answer: string;
        /** The answer that the row replaces; null when it does not change. */
        before: string | null;
        changes: LabelChange[];
        /** Another source that answers the question of a new row. */
        answeredIn: AnsweredRow | null;
      }
  );

export interface ImportPreview {
  counts: Record<PreviewState, number>;
  /** The first rows of each state, in the order of the file. */
  rows: PreviewRow[];
  /** The sources that would become visible to more audiences. */
  widening: Widening | null;
  /** Number of new rows that may replace the answer of another source. */
  answered: number;
}

interface ReadRows {
  valid: QuestionRow[];
  invalid: (RowPlace & { error: string })[];
}

/**
 * Shows what an import of this Q&A file would do, without writing anything.
 * @param labels for rows without labels of their own
 * @throws {UnreadableFile} with the reason
 */
export async function previewQuestions(
  scope: TenantScope,
  actor: Actor,
  file: FileInput,
  labels: QuestionLabels,
): Promise<ImportPreview> {
  requireAdmin(scope, actor);
  const { valid, invalid } = await readRows(scope.companyId, file, labels);
  const compared = await compareAll(scope, actor, valid);
  const rows: PreviewRow[] = [...invalid.map((each) => ({ state: "invalid" as const, ...each })), ...compared];
  const answered = await findAnsweredRows(scope, actor, valid, newRows(compared));
  for (const row of rows) if (row.state !== "invalid") row.answeredIn = answered.get(row.position) ?? null;
  const gained = rows.map((row) => (row.state === "invalid" ? [] : gainedBy(row)));
  const byState = Map.groupBy(rows, ({ state }) => state);
  const count = (state: PreviewState) => byState.get(state)?.length ?? 0;
  return {
    counts: { new: count("new"), changed: count("changed"), unchanged: count("unchanged"), invalid: count("invalid") },
    rows: [...byState.values()].flatMap((list) => list.toSorted(byPosition).slice(0, ROWS_SHOWN)).sort(byPosition),
    widening: wideningOf(gained),
    answered: replacing(answered).size,
  };
}

/**
 * Imports the valid rows, as the preview shows them.
 * @throws {UnreadableFile} with the reason
 * @throws {AppError} Conflict when sources would gain audiences that `widenTo` does not include; PreconditionFailed when
 * a source whose answer is replaced was changed in the meantime
 */
export async function importQuestions(
  scope: TenantScope,
  actor: Actor,
  file: FileInput,
  labels: QuestionLabels,
  { merge = false, ...options }: AcceptOptions & { merge?: boolean | undefined } = {},
): Promise<{ accepted: Accepted[]; invalid: number; merged: number }> {
  requireAdmin(scope, actor);
  const { valid, invalid } = await readRows(scope.companyId, file, labels);
  const fresh = merge ? newRows(await compareAll(scope, actor, valid)) : new Set<number>();
  const answered = replacing(await findAnsweredRows(scope, actor, valid, fresh));
  const accepted = await addSources(
    scope,
    actor,
    valid.map(({ position, source }) => {
      const existing = answered.get(position);
      return existing ? asMerged(source, existing) : source;
    }),
    { ...options, ifMatch: new Map([...answered.values()].map(({ sourceId, versionId }) => [sourceId, versionId])) },
  );
  return { accepted, invalid: invalid.length, merged: answered.size };
}

function byPosition(a: RowPlace, b: RowPlace): number {
  return a.position - b.position;
}

/** The positions of the new rows. */
function newRows(compared: PreviewRow[]): Set<number> {
  return new Set(compared.flatMap(({ state, position }) => (state === "new" ? position : [])));
}

/** The rows that may replace the answer of another source. */
function replacing(answered: Map<number, AnsweredRow>): Map<number, AnsweredRow> {
  return new Map([...answered].filter(([, { keptBecause }]) => keptBecause === null));
}

async function compareAll(scope: TenantScope, actor: Actor, valid: ReadRows["valid"]): Promise<PreviewRow[]> {
  const rows: PreviewRow[] = [];
  for (let start = 0; start < valid.length; start += ROWS_AT_ONCE) {
    const batch = valid.slice(start, start + ROWS_AT_ONCE);
    rows.push(...(await scope.transaction((tx) => compareRows(tx, scope.companyId, actor, batch))));
  }
  return rows;
}

/**
 * Reads the rows of a company's file. Of rows with the same identifier, the last one is used and the others are invalid.
 * @throws {TooManyRows} @throws {UnreadableFile} with the reason
 */
export async function readRows(companyId: CompanyId, file: FileInput, labels: QuestionLabels): Promise<ReadRows> {
  const rows = await openQuestions({ ...file, companyId }, QUESTION_ROWS_MAX);
  if (!rows) throw new UnreadableFile(NO_QUESTIONS);
  const invalid: ReadRows["invalid"] = [];
  const valid = new Map<string, QuestionRow>();
  let position = 0;
  for await (const read of rows) {
    position++;
    if ("error" in read) {
      invalid.push({ ...read, position });
      continue;
    }
    const { source, ...named } = read;
    if (source.sourceType !== "qa" || source.sourceId === undefined) continue;
    const earlier = valid.get(source.sourceId);
    const place = { ...named, position };
    if (earlier) invalid.push(replacedBy(earlier, place));
    valid.set(source.sourceId, {
      ...place,
      source: { ...withDefaultLabels(source, labels), sourceId: source.sourceId },
    });
  }
  return { valid: [...valid.values()], invalid };
}

function replacedBy({ source: _, ...place }: QuestionRow, later: RowPlace): ReadRows["invalid"][number] {
  const where = place.sheet === undefined ? "" : `Sheet "${place.sheet}": `;
  return { ...place, error: `${where}${rowWords(later)} has the same sourceId and replaces this row` };
}

function withDefaultLabels(source: ReturnType<typeof questionInput.parse>, labels: QuestionLabels) {
  return {
    ...source,
    audience: source.audience ?? labels.audience,
    contentCategory: source.contentCategory ?? labels.contentCategory,
    path: source.path ?? labels.path,
    metadata: source.metadata ?? labels.metadata,
  };
}

async function compareRows(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  batch: ReadRows["valid"],
): Promise<PreviewRow[]> {
  const { defaultAudience } = await companyDefaults(tx, companyId);
  const sourceIds = batch.map(({ source }) => source.sourceId);
  const known = await tx
    .select({ id: sources.id, sourceId: sources.sourceId, deletedAt: sources.deletedAt, body: sourceVersions.body })
    .from(sources)
    .innerJoin(
      sourceVersions,
      and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, sources.latestVersionId)),
    )
    .where(and(eq(sources.companyId, companyId), inArray(sources.sourceId, sourceIds)));
  const latest = await latestVersions(tx, { companyId, actor, sourceIds });
  const bySourceId = new Map(known.map((each) => [each.sourceId, each]));
  return batch.map(({ source, ...place }): PreviewRow => {
    const { question, answer } = source;
    const common = { ...place, question, answer, answeredIn: null };
    const before = bySourceId.get(source.sourceId);
    if (!before) return { state: "new", ...common, before: null, changes: [] };
    const options = { companyId, defaultAudience, evenIfUnchanged: false };
    const { kind, changes } = planAcceptance(toSubmittedSource(source), before, latest.get(source.sourceId), options);
    if (kind === "unchanged") return { state: "unchanged", ...common, before: null, changes };
    if (before.deletedAt) return { state: "new", ...common, before: null, changes };
    const was = before.body.kind === "qa" && before.body.answer !== answer ? before.body.answer : null;
    return { state: "changed", ...common, before: was, changes };
  });
}

function gainedBy({ changes }: { changes: LabelChange[] }): string[] {
  return changes.flatMap((change) =>
    change.label === "audience" ? gainedAudiences(change.before, change.after, []) : [],
  );
}
