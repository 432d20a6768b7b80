import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { Command } from "commander";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { labelsOf, pruneOf } from "../../lib/client/cli/commands.ts";
import { findProblem } from "../../lib/client/cli/find-problem.ts";
import { describeIngest, ingestRemotely } from "../../lib/client/cli/ingest.ts";
import { labelOutcome } from "../../lib/client/cli/label-outcome.ts";
import { type Outcome, say } from "../../lib/client/cli/terminal.ts";
import {
  bulkName,
  duplicateFailure,
  isBulkFile,
  resolveExisting,
  STDIN,
  type WalkedFile,
  walkFiles,
} from "../../lib/client/cli/walk-files.ts";
import { companyScope } from "../../lib/companies/service.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { messageOf } from "../../lib/errors.ts";
import { outcomeOf, unfinishedVersions } from "../../lib/knowledge/ingest/progress.ts";
import type { Accepted } from "../../lib/knowledge/intake/accept.ts";
import { addFiles, addSources } from "../../lib/knowledge/intake/add.ts";
import { type BulkRow, openQuestions, readSources, type SourceInput } from "../../lib/knowledge/intake/read-bulk.ts";
import { findGained } from "../../lib/knowledge/intake/refuse-widening.ts";
import type { WidenTo } from "../../lib/knowledge/intake/widening.ts";
import { putOf } from "../../lib/knowledge/manage/put.ts";
import { example, interrupted, resolveTypedPath, UsageError } from "./context.ts";
import { companyOption, runInPlace } from "./remote.ts";
import { waitForJobs } from "./work.ts";

/** Rows per transaction. */
const ROWS_PER_BATCH = 200;

interface IngestOptions {
  audience?: string;
  category?: string;
  path?: string;
  yes?: boolean;
  wait?: boolean;
  prune?: string | true;
}

interface Labels extends Partial<Pick<SourceInput, "audience" | "contentCategory" | "path">> {
  /** Audiences that existing sources may gain: those of the command, or any. */
  widenTo: WidenTo;
}
type Rows = AsyncIterable<BulkRow>;

/** The outcome of all files and rows of a call. */
interface Ingested {
  accepted: Map<string, Accepted>;
  failed: { path: string; reason: string }[];
}

export function ingestCommand(ingest: Command): void {
  companyOption(ingest)
    .argument(
      "<paths...>",
      "files and folders, without the hidden files in them; bulk files are .jsonl, and .csv and .xlsx with questions and answers; - is .jsonl from standard input",
    )
    .option(
      "--audience <a,b>",
      "the audience; rows of bulk files can set their own, and their own category and path. Without it, an existing source keeps its audience and a new one gets the company's default",
    )
    .option("--category <c>", "the content category")
    .option("--path <A/B>", "the hierarchical path")
    .option("--yes", "allow existing sources to gain the audiences in rows of bulk files")
    .option("--wait", "wait until everything is searchable or failed (the default)")
    .option("--no-wait", "return when everything is accepted; a running server processes it")
    .option(
      "--prune [max]",
      "with RAGSTONE_URL: delete sources that are not in the given files, up to this number without asking",
    )
    .action((paths: string[], options: IngestOptions, command: Command) =>
      runInPlace(command, {
        remote: async (client) =>
          ingestRemotely(client, await resolveExisting(paths, resolveTypedPath), {
            labels: labelsOf(options),
            widen: options.yes ?? false,
            wait: options.wait ?? true,
            prune: pruneOf(options.prune),
            signal: interrupted,
          }),
        local: (companyId) => ingestPaths(companyId, paths, options),
      }),
    );
  example(ingest, 'ingest --company <id> handbook.pdf articles faq.csv --audience copilot --path "Support/Manuals"');
}

async function ingestPaths(companyId: string, paths: string[], options: IngestOptions): Promise<Outcome> {
  const started = Date.now();
  if (options.prune) throw new UsageError("--prune works only with RAGSTONE_URL. Delete sources with `source delete`.");
  const scope = await companyScope(companyId);
  const given = labelsOf(options);
  const labels: Labels = { ...given, widenTo: options.yes ? "any" : (given.audience ?? []) };
  const { accepted, failed } = await ingestAll(scope, paths, labels);
  const all = [...accepted.values()];
  const versionIds = all.map(({ versionId }) => versionId);
  const waiting = await unfinishedVersions(scope, CLI_ACTOR, versionIds);
  const unchanged = new Set(
    all.flatMap((each) => (each.unchanged && !waiting.has(each.versionId) ? each.versionId : [])),
  );
  const { relabelled, changes } = labelOutcome(all.map(putOf));
  if (options.wait === false) {
    for (const { path, reason } of failed) say(`${path}: ${reason}`);
    return { value: { queued: waiting.size, ...relabelled }, lines: [`${waiting.size} queued`, ...changes] };
  }

  await waitForJobs(scope, versionIds);
  const outcome = await outcomeOf(scope, CLI_ACTOR, versionIds);
  const notices = outcome.notices.flatMap(({ versionId, path, notice }) =>
    unchanged.has(versionId) ? [] : { path, notice },
  );
  const value = {
    sources: outcome.sources,
    chunks: outcome.chunks,
    unchanged: unchanged.size,
    failed: [...failed, ...outcome.failed],
    ...(notices.length > 0 && { notices }),
    seconds: Math.round((Date.now() - started) / 100) / 10,
    ...relabelled,
  };
  return { value, lines: describeIngest(value, changes) };
}

/** Accepts the files of the paths; their processing is left to a worker. */
export async function ingestAll(scope: TenantScope, paths: string[], labels: Labels): Promise<Ingested> {
  const { files, failed } = await walkFiles(
    (await resolveExisting(paths, resolveTypedPath)).filter((path) => path !== STDIN),
  );
  const ingested: Ingested = { accepted: new Map(), failed };
  for (const file of files) {
    interrupted.throwIfAborted();
    const problem = await findProblem(file.path);
    const rows = problem ? null : await bulkRows(file);
    if (problem) ingested.failed.push({ path: file.sourceId, reason: problem });
    else if (rows) await ingestRows(scope, file.sourceId, rows, labels, ingested);
    // a table without questions is a document
    else if (isBulkFile(file.path) && ingested.accepted.has(file.sourceId))
      ingested.failed.push(duplicateFailure(file));
    else await ingestFile(scope, file, labels, ingested);
  }
  if (paths.includes(STDIN)) await ingestRows(scope, STDIN, readSources(process.stdin, STDIN), labels, ingested);
  return ingested;
}

/** The rows of a bulk file; null if the file is a document. */
async function bulkRows(file: WalkedFile): Promise<Rows | null> {
  const { path } = file;
  const fileName = bulkName(file);
  const extension = extname(path).toLowerCase();
  if (extension === ".jsonl") return readSources(path, fileName);
  // an unreadable sheet is ingested as a document, which then fails with the reason
  if (extension === ".csv" || extension === ".xlsx") return openQuestions({ path, fileName }).catch(() => null);
  return null;
}

async function ingestFile(
  scope: TenantScope,
  { path, sourceId }: WalkedFile,
  { widenTo, ...labels }: Labels,
  ingested: Ingested,
): Promise<void> {
  const bytes = await readFile(path).catch(messageOf);
  if (typeof bytes === "string") ingested.failed.push({ path: sourceId, reason: bytes });
  else addAccepted(ingested, await addFiles(scope, CLI_ACTOR, [{ ...labels, sourceId, bytes }], { widenTo }));
}

async function ingestRows(
  scope: TenantScope,
  name: string,
  rows: Rows,
  labels: Labels,
  ingested: Ingested,
): Promise<void> {
  let batch: { row: number; sheet: string | undefined; source: SourceInput }[] = [];
  const flush = async () => {
    interrupted.throwIfAborted();
    const given = batch.map(({ source }) => ({ sourceId: source.sourceId ?? "", audience: source.audience ?? null }));
    const gained = await findGained(scope, CLI_ACTOR, given, labels.widenTo);
    const sources: SourceInput[] = [];
    for (const { row, sheet, source } of batch) {
      const audiences = gained.get(source.sourceId ?? "");
      if (audiences) ingested.failed.push({ path: `${name}:${row}`, reason: widenMessage(audiences, sheet) });
      else sources.push(source);
    }
    addAccepted(ingested, await addSources(scope, CLI_ACTOR, sources, { widenTo: labels.widenTo }));
    batch = [];
  };
  for await (const row of rows) {
    if ("error" in row) ingested.failed.push({ path: `${name}:${row.row}`, reason: row.error });
    else batch.push({ row: row.row, sheet: row.sheet, source: withDefaultLabels(row.source, labels) });
    if (batch.length === ROWS_PER_BATCH) await flush();
  }
  await flush();
}

function widenMessage(audiences: string[], sheet: string | undefined): string {
  const where = sheet === undefined ? "" : `Sheet "${sheet}": `;
  return `${where}it would also become visible to ${audiences.join(", ")}. Repeat with --yes to allow this`;
}

/** Adds the command's labels where the row has none of its own. */
function withDefaultLabels(source: SourceInput, { audience, contentCategory, path }: Labels): SourceInput {
  return {
    ...source,
    audience: source.audience ?? audience,
    contentCategory: source.contentCategory ?? contentCategory,
    path: source.path ?? path,
  };
}

function addAccepted({ accepted }: Ingested, list: Accepted[]): void {
  for (const one of list) accepted.set(one.sourceId, one);
}
