import type { Ragstone } from "../client.ts";
import { ValidationError } from "../errors.ts";
import type { Issue, PutSource, SourceLabels } from "../source-types.ts";
import { counted } from "./counted.ts";
import { type Ingestion, reasonOf, record, recordRefusal, refusalOf } from "./ingestion.ts";
import { sendOpened } from "./open-file.ts";
import type { Row } from "./read-rows.ts";
import { sendFile } from "./send-files.ts";
import { bulkName, duplicateFailure, type WalkedFile } from "./walk-files.ts";

const SOURCES_PER_BATCH = 200;
/** The server takes 10 MiB, and JSON in UTF-8 may be longer than its characters. */
const BATCH_CHARACTERS_MAX = 3 * 1024 * 1024;

interface Batch {
  rows: { row: number; source: PutSource }[];
  characters: number;
  /** Whether existing sources may become visible to more audiences. */
  widen: boolean;
}

/** Sends the rows of a bulk file. The labels are for rows without their own. */
export async function sendRows(
  client: Ragstone,
  name: string,
  rows: AsyncIterable<Row>,
  { labels, widen }: { labels: SourceLabels; widen: boolean },
  ingestion: Ingestion,
): Promise<void> {
  const empty = (): Batch => ({ rows: [], characters: 0, widen });
  let batch = empty();
  for await (const read of rows) {
    if ("error" in read) {
      ingestion.failed.push({ path: `${name}:${read.row}`, reason: read.error });
      continue;
    }
    const source = withLabels(read.source, labels);
    const characters = JSON.stringify(source).length;
    // the command confirms its own audience, but not the audience of a row
    const mayWiden = widen || (labels.audience !== undefined && !read.source.audience);
    const isFull = batch.rows.length === SOURCES_PER_BATCH || batch.characters + characters > BATCH_CHARACTERS_MAX;
    if (batch.rows.length > 0 && (isFull || batch.widen !== mayWiden)) {
      await sendBatch(client, name, batch, ingestion);
      batch = empty();
    }
    batch.rows.push({ row: read.row, source });
    batch.characters += characters;
    batch.widen = mayWiden;
  }
  if (batch.rows.length > 0) await sendBatch(client, name, batch, ingestion);
}

async function sendBatch(client: Ragstone, name: string, { rows, widen }: Batch, ingestion: Ingestion): Promise<void> {
  const fail = (index: number, reason: string) =>
    ingestion.failed.push({ path: `${name}:${rows[index]?.row ?? ""}`, reason });
  try {
    const sources = rows.map(({ source }) => source);
    const { accepted, failed } = await client.sources.batch(sources, { ...ingestion.options, widen });
    record(ingestion, accepted);
    for (const { index, issues } of failed) fail(index, reasonOf(issues));
  } catch (error) {
    const reason = refusalOf(error);
    const issues = issuesByPlace(error);
    for (const index of rows.keys())
      fail(index, reasonOf(issues.get(String(index)) ?? [{ path: "", message: reason }]));
  }
}

/** Sends a CSV or Excel file as questions and answers, or as a document if it has no such columns. */
export async function sendQuestions(
  client: Ragstone,
  walked: WalkedFile,
  { labels, widen }: { labels: SourceLabels; widen: boolean },
  ingestion: Ingestion,
): Promise<void> {
  const { path, sourceId } = walked;
  const fail = (row: string | number, reason: string) => ingestion.failed.push({ path: `${sourceId}:${row}`, reason });
  try {
    // the rows are not read here, so one of them may have an audience that the command does not name
    const options = { ...ingestion.options, widen };
    const given = { ...labels, sourceId: bulkName(walked) };
    const outcome = await sendOpened(path, (file) => client.sources.putQuestions({ ...given, file }, options));
    record(ingestion, outcome.accepted);
    for (const { row, sheet, issues } of outcome.failed) fail(row, onSheet(sheet, issues));
  } catch (error) {
    // only the file as a whole has an empty path
    const isTable = error instanceof ValidationError && error.issues.some(({ path: place }) => place === "");
    if (isTable) return sendTable(client, walked, labels, ingestion);
    const refused = issuesByPlace(error);
    if (refused.size === 0) recordRefusal(ingestion, sourceId, error);
    for (const [row, issues] of refused) fail(row, reasonOf(issues));
    const more = moreFailed(error);
    if (more > 0) ingestion.failed.push({ path: sourceId, reason: `The server refused ${counted(more, "more row")}.` });
  }
}

/** The reason for a row of a workbook with several sheets, which number their rows alike. */
function onSheet(sheet: string | undefined, issues: Issue[]): string {
  const reason = reasonOf(issues);
  return sheet === undefined || reason.startsWith("Sheet ") ? reason : `Sheet "${sheet}": ${reason}`;
}

/** Sends a table without questions as a document. */
async function sendTable(
  client: Ragstone,
  walked: WalkedFile,
  labels: SourceLabels,
  ingestion: Ingestion,
): Promise<void> {
  if (ingestion.accepted.has(walked.sourceId)) ingestion.failed.push(duplicateFailure(walked));
  else await sendFile(client, walked, labels, ingestion);
}

/** How many refused rows the error does not name. */
function moreFailed(error: unknown): number {
  return error instanceof ValidationError ? Number(error.body.moreFailed ?? 0) : 0;
}

/** `sources.<index>` or `rows.<number>`, and the field. */
const PLACE = /^(?:sources|rows)\.(\d+)(?:\.(.*))?$/;

/** What is wrong with each source or row when none was accepted; empty if the error names none. */
function issuesByPlace(error: unknown): Map<string, Issue[]> {
  const byPlace = new Map<string, Issue[]>();
  for (const { path, message } of error instanceof ValidationError ? error.issues : []) {
    const [, place, field = ""] = PLACE.exec(path) ?? [];
    if (place !== undefined) byPlace.set(place, [...(byPlace.get(place) ?? []), { path: field, message }]);
  }
  return byPlace;
}

function withLabels(source: PutSource, { audience, contentCategory, path }: SourceLabels): PutSource {
  return {
    ...source,
    audience: source.audience ?? audience,
    contentCategory: source.contentCategory ?? contentCategory,
    path: source.path ?? path,
  };
}
