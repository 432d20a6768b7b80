import type { z } from "zod";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { type AppError, type Issue, issuesOf, validationError } from "../../errors.ts";
import type { LabelChange } from "../../label-changes.ts";
import type { Accepted } from "../intake/accept.ts";
import { addFiles, addSources, type GivenFile, toSubmittedSource } from "../intake/add.ts";
import { type AnsweredIn, findRepeated } from "../intake/find-answered.ts";
import { type QuestionLabels, readRows } from "../intake/import-preview.ts";
import { findRefusedLabels } from "../intake/refuse-labels.ts";
import { findGained } from "../intake/refuse-widening.ts";
import type { identifiedSource } from "../intake/source-input.ts";
import { type WidenTo, wideningOf, wideningWords } from "../intake/widening.ts";
import { UnreadableFile } from "../parse/document.ts";
import type { FileInput } from "../parse/index.ts";
import { TooManyRows } from "../parse/wanted-rows.ts";
import { mergeRepeated, type Placed } from "./merge.ts";
import type { CheckedSource } from "./schema.ts";

/** Issues in the response when no source is accepted. More than a batch has sources, so that each of them is named. */
const REFUSED_ISSUES_MAX = 1_000;

type Source = z.output<typeof identifiedSource>;
interface PutSource extends Omit<Accepted, "changes"> {
  /** The labels that an existing source had before and has now; absent if none changed. */
  changedLabels?: LabelChange[];
  /** Another source with the same question; only for a question that was changed. */
  alreadyAnsweredIn?: Pick<AnsweredIn, "id" | "sourceId">;
  /** The identifier of a question that became a phrasing of this source. */
  mergedFrom?: string;
}

interface PutOptions {
  /** The version ID that the newest version must have. */
  ifMatch?: string | undefined;
}

interface MergeOptions {
  /** Whether a new question becomes a phrasing of the source that has it already. */
  merge?: boolean | undefined;
}

interface BatchOptions extends MergeOptions {
  widenTo?: WidenTo;
}

interface Placement {
  valid: Placed[];
  failed: BatchOutcome["failed"];
  /** The field of the list that issues refer to. */
  list: "sources" | "rows";
}

type Position = Pick<Placed, "position" | "sheet">;

export interface BatchOutcome {
  accepted: (PutSource & Position)[];
  failed: (Position & { sourceId?: string | undefined; issues: Issue[] })[];
}

/**
 * Adds or replaces one source.
 * @throws {AppError} Forbidden when the key's policy does not allow a label; PreconditionFailed
 */
export async function putSource(
  scope: TenantScope,
  actor: Actor,
  source: Source,
  { ifMatch, merge }: PutOptions & MergeOptions = {},
): Promise<PutSource> {
  const given: Placed = { position: 0, source, ifMatch };
  // a new question has no version to match
  const [placed = given] = merge && ifMatch === undefined ? await mergeRepeated(scope, actor, [given]) : [given];
  const options = { widenTo: "any", ifMatch: placed.ifMatch } as const;
  const put = onlyOne(await addSources(scope, actor, [placed.source], options));
  const [described = put] = await describePut(scope, actor, [put], [placed]);
  return described;
}

/** Adds or replaces one file. @throws {AppError} as `putSource` */
export async function putFile(
  scope: TenantScope,
  actor: Actor,
  file: GivenFile,
  { ifMatch }: PutOptions = {},
): Promise<PutSource> {
  return onlyOne(await addFiles(scope, actor, [file], { widenTo: "any", ifMatch }));
}

/**
 * Adds or replaces the valid sources of a batch, even when others are invalid.
 */
export async function putBatch(
  scope: TenantScope,
  actor: Actor,
  checked: CheckedSource[],
  options: BatchOptions = {},
): Promise<BatchOutcome> {
  requireAdmin(scope, actor, "ingest");
  const failed: BatchOutcome["failed"] = [];
  const valid = new Map<string, Placed>();
  for (const [position, { sourceId, parsed }] of checked.entries()) {
    if (!parsed.success) {
      failed.push({ position, sourceId, issues: issuesOf(parsed.error) });
      continue;
    }
    const earlier = valid.get(parsed.data.sourceId);
    if (earlier) failed.push(replacedBy(earlier, { position }));
    valid.set(parsed.data.sourceId, { position, source: parsed.data });
  }
  return putPlaced(scope, actor, { valid: [...valid.values()], failed, list: "sources" }, options);
}

/**
 * Adds or replaces the questions of a CSV or Excel file; the positions are the file's rows.
 * @param labels for rows without labels of their own
 * @throws {AppError} ValidationError when the file cannot be read or has too many rows
 */
export async function putQuestions(
  scope: TenantScope,
  actor: Actor,
  file: FileInput,
  labels: QuestionLabels,
  options: BatchOptions = {},
): Promise<BatchOutcome> {
  requireAdmin(scope, actor, "ingest");
  const { valid, invalid } = await readRows(scope.companyId, file, labels).catch((error: unknown) => {
    // an empty path tells the client that this is not a file of questions and answers
    if (error instanceof TooManyRows) throw validationError([{ path: "rows", message: error.message }]);
    if (error instanceof UnreadableFile) throw validationError([{ path: "", message: error.message }]);
    throw error;
  });
  const failed = invalid.map(({ row, sheet, error }) => ({
    position: row,
    sheet,
    issues: [{ path: "", message: error }],
  }));
  const placed = valid.map(({ row, sheet, source }) => ({ position: row, sheet, source }));
  return putPlaced(scope, actor, { valid: placed, failed, list: "rows" }, options);
}

/** @throws {AppError} ValidationError when no source is accepted */
async function putPlaced(
  scope: TenantScope,
  actor: Actor,
  { valid: given, failed: invalid, list }: Placement,
  { widenTo = [], merge }: BatchOptions,
): Promise<BatchOutcome> {
  const { valid, failed } = withoutRepeats(merge ? await mergeRepeated(scope, actor, given) : given, invalid);
  const submitted = valid.map(({ source }) => ({ ...toSubmittedSource(source), sourceId: source.sourceId }));
  const refused = await findRefusedLabels(scope, actor, submitted);
  const gained = await findGained(scope, actor, submitted, widenTo);
  const issueOf = ({ sourceId }: Source) => refused.get(sourceId) ?? wideningIssue(gained.get(sourceId));
  const allowed = valid.filter(({ source }) => !issueOf(source));
  const ifMatch = new Map(allowed.flatMap(({ source, ifMatch }) => (ifMatch ? [[source.sourceId, ifMatch]] : [])));
  const accepted = await addSources(
    scope,
    actor,
    allowed.map(({ source }) => source),
    { widenTo, ifMatch },
  );
  const positions = new Map(valid.map(({ position, sheet, source }) => [source.sourceId, { position, sheet }]));
  const put = accepted.map((one) => ({ ...(positions.get(one.sourceId) ?? { position: 0 }), ...putOf(one) }));
  const outcome: BatchOutcome = {
    accepted: await describePut(scope, actor, put, allowed),
    failed: [
      ...failed,
      ...valid.flatMap(({ position, sheet, source, mergedFrom: sourceId = source.sourceId }) => {
        const issue = issueOf(source);
        return issue ? { position, sheet, sourceId, issues: [issue] } : [];
      }),
    ].sort((a, b) => a.position - b.position),
  };
  if (outcome.accepted.length === 0 && outcome.failed.length > 0) throw allFailed(outcome.failed, list);
  return outcome;
}

/** Two questions may be merged into the same source. Then the later one is used. */
function withoutRepeats(placed: Placed[], invalid: BatchOutcome["failed"]): Pick<Placement, "valid" | "failed"> {
  const last = new Map(placed.map((each) => [each.source.sourceId, each]));
  const repeated = placed.flatMap((each) => {
    const used = last.get(each.source.sourceId);
    return used && used !== each ? replacedBy(each, used) : [];
  });
  return { valid: [...last.values()], failed: [...invalid, ...repeated] };
}

/** Says which questions were merged, and adds a warning to each changed question that another source answers too. */
async function describePut<Put extends PutSource>(
  scope: TenantScope,
  actor: Actor,
  put: Put[],
  placed: Placed[],
): Promise<Put[]> {
  const byId = new Map(placed.map((each) => [each.source.sourceId, each]));
  const asked = put.flatMap(({ sourceId, unchanged }) => {
    const source = byId.get(sourceId)?.source;
    return source?.sourceType === "qa" && !unchanged ? source : [];
  });
  const repeated = await findRepeated(scope, actor, asked);
  const byOwn = new Map(asked.map(({ sourceId }, index) => [sourceId, repeated.get(index)]));
  return put.map((one) => {
    const other = byOwn.get(one.sourceId);
    const mergedFrom = byId.get(one.sourceId)?.mergedFrom;
    return {
      ...one,
      ...(other && { alreadyAnsweredIn: { id: other.id, sourceId: other.sourceId } }),
      ...(mergedFrom !== undefined && { mergedFrom }),
    };
  });
}

function onlyOne([accepted]: Accepted[]): PutSource {
  if (!accepted) throw new Error("the source was not accepted");
  return putOf(accepted);
}

/** What the API says of an accepted source. */
export function putOf({ changes, ...put }: Accepted): PutSource {
  return changes.length > 0 ? { ...put, changedLabels: changes } : put;
}

function replacedBy({ position, sheet, source, mergedFrom }: Placed, later: Position): BatchOutcome["failed"][number] {
  const path = mergedFrom === undefined ? "sourceId" : "question";
  const where = later.sheet === undefined ? later.position : `${later.position} of sheet "${later.sheet}"`;
  const issues = [{ path, message: `is repeated at ${where}, which is used instead` }];
  return { position, sheet, sourceId: mergedFrom ?? source.sourceId, issues };
}

function wideningIssue(audiences: string[] | undefined): Issue | undefined {
  const widening = audiences && wideningOf([audiences]);
  if (!widening) return undefined;
  return { path: "audience", message: `${wideningWords(widening)} Send widen=true to allow it.` };
}

/** One issue of each source comes first, so that many issues of some sources do not hide others. */
function allFailed(failed: BatchOutcome["failed"], list: string): AppError {
  const found = failed.map(({ position, sheet, issues }) =>
    issues.map(({ path, message }) => ({
      path: [list, position, path].filter((part) => part !== "").join("."),
      // what is wrong with a row as a whole names the sheet already
      message: sheet === undefined || path === "" ? message : `Sheet "${sheet}": ${message}`,
    })),
  );
  const all = found.flat();
  const firstOfEach = found.flatMap((issues) => issues.slice(0, 1));
  const others = found.flatMap((issues) => issues.slice(1));
  const listed = all.length > REFUSED_ISSUES_MAX ? [...firstOfEach, ...others] : all;
  const moreFailed = failed.length - REFUSED_ISSUES_MAX;
  return validationError(listed, moreFailed > 0 ? { moreFailed } : {}, REFUSED_ISSUES_MAX);
}
