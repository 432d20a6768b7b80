import { access, constants, readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import type { Command } from "commander";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { companyScope } from "../../lib/companies/service.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Accepted } from "../../lib/knowledge/accept.ts";
import { addFiles, addSources } from "../../lib/knowledge/add.ts";
import { type BulkRow, openQuestions, readSources, type SourceInput } from "../../lib/knowledge/bulk.ts";
import { refuseTooLarge } from "../../lib/knowledge/parse/parse.ts";
import { outcomeOf, waitingVersions } from "../../lib/knowledge/progress.ts";
import { findGained } from "../../lib/knowledge/refuse-widening.ts";
import { type WalkedFile, walkFiles } from "../../lib/knowledge/walk.ts";
import type { WidenTo } from "../../lib/knowledge/widening.ts";
import { example, fromHere, interrupted, listOf, type Outcome, run, say, UsageError } from "./context.ts";
import { labelOutcome } from "./label-outcome.ts";
import { untilWorkedOff } from "./work.ts";

/** As many as one transaction takes in. */
const ROWS_AT_ONCE = 200;
const STDIN = "-";

interface IngestOptions {
  company: string;
  audience?: string;
  category?: string;
  path?: string;
  yes?: boolean;
  wait?: boolean;
}

interface Labels extends Pick<SourceInput, "audience" | "contentCategory" | "path"> {
  /** Audiences that sources may gain: those that the command names, or any. */
  widenTo: WidenTo;
}
type Rows = AsyncIterable<BulkRow> | Iterable<BulkRow>;

/** What the files of one call came to. */
interface Taken {
  accepted: Map<string, Accepted>;
  failed: { path: string; reason: string }[];
}

export function ingestCommand(ingest: Command): void {
  ingest
    .argument(
      "<paths...>",
      "files and folders; bulk files are .jsonl, and .csv and .xlsx with questions and answers; - is .jsonl from standard input",
    )
    .requiredOption("--company <id>", "the company")
    .option(
      "--audience <a,b>",
      "the audience; a row of a bulk file may name its own, as for category and path. Without it a source keeps its audience, and a new one gets the company's",
    )
    .option("--category <c>", "the content category")
    .option("--path <A/B>", "the hierarchical path")
    .option("--yes", "let sources gain audiences that rows of bulk files name")
    .option("--wait", "wait until everything is searchable or failed (the default)")
    .option("--no-wait", "return when everything is accepted; a running server does the rest")
    .action((paths: string[], options: IngestOptions, command: Command) =>
      run(command, () => ingestPaths(paths, options)),
    );
  example(ingest, 'ingest --company <id> handbook.pdf articles faq.csv --audience copilot --path "Support/Manuals"');
}

async function ingestPaths(paths: string[], options: IngestOptions): Promise<Outcome> {
  const started = Date.now();
  const scope = await companyScope(options.company);
  const labels = {
    audience: listOf(options.audience),
    contentCategory: options.category?.trim() || undefined,
    path: listOf(options.path, "/"),
    widenTo: options.yes ? "any" : (listOf(options.audience) ?? []),
  } satisfies Labels;
  const { accepted, failed } = await takeAll(scope, paths, labels);
  const all = [...accepted.values()];
  const versionIds = all.map(({ versionId }) => versionId);
  const waiting = await waitingVersions(scope, CLI_ACTOR, versionIds);
  const unchanged = all.filter((each) => each.unchanged && !waiting.has(each.versionId)).length;
  const { relabelled, changes } = labelOutcome(all);
  if (options.wait === false) {
    for (const { path, reason } of failed) say(`${path}: ${reason}`);
    return { value: { queued: waiting.size, ...relabelled }, lines: [`${waiting.size} queued`, ...changes] };
  }

  await untilWorkedOff(scope, versionIds);
  const outcome = await outcomeOf(scope, CLI_ACTOR, versionIds);
  const value = {
    sources: outcome.sources,
    chunks: outcome.chunks,
    unchanged,
    failed: [...failed, ...outcome.failed],
    seconds: Math.round((Date.now() - started) / 100) / 10,
    ...relabelled,
  };
  const { sources, chunks, seconds } = value;
  return {
    value,
    lines: [
      `${sources} sources, ${chunks} chunks, ${unchanged} unchanged, ${value.failed.length} failed in ${seconds} s`,
      ...changes,
      ...value.failed.map(({ path, reason }) => `failed: ${path}: ${reason}`),
    ],
  };
}

async function takeAll(scope: TenantScope, paths: string[], labels: Labels): Promise<Taken> {
  const { files, failed } = await walkFiles(await existing(paths.filter((path) => path !== STDIN)));
  const taken: Taken = { accepted: new Map(), failed };
  for (const file of files) {
    interrupted.throwIfAborted();
    const unusable = await whyUnusable(file.path);
    const rows = unusable ? null : await bulkRows(file.path);
    if (unusable) taken.failed.push({ path: file.sourceId, reason: unusable });
    else if (rows) await takeRows(scope, file.sourceId, rows, labels, taken);
    else await takeFile(scope, file, labels, taken);
  }
  if (paths.includes(STDIN)) await takeRows(scope, STDIN, readSources(process.stdin, STDIN), labels, taken);
  return taken;
}

/** A path that does not exist refuses the whole call, before anything is taken in. */
async function existing(paths: string[]): Promise<string[]> {
  for (const path of paths) {
    await access(fromHere(path)).catch(() => {
      throw new UsageError(`${path} does not exist or cannot be read. Nothing was ingested.`);
    });
  }
  return paths.map(fromHere);
}

/** Found before a file is read whole or kept. */
async function whyUnusable(path: string): Promise<string | null> {
  try {
    await access(path, constants.R_OK);
    // a bulk file is read row by row, however long it is
    if (extname(path).toLowerCase() !== ".jsonl") refuseTooLarge((await stat(path)).size);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** The rows of a bulk file; null when the file is a document itself. */
async function bulkRows(path: string): Promise<Rows | null> {
  const extension = extname(path).toLowerCase();
  if (extension === ".jsonl") return readSources(path);
  // a sheet that cannot be read is a document that fails with its reason
  if (extension === ".csv" || extension === ".xlsx") return openQuestions(path).catch(() => null);
  return null;
}

async function takeFile(
  scope: TenantScope,
  { path, sourceId }: WalkedFile,
  { widenTo, ...labels }: Labels,
  taken: Taken,
): Promise<void> {
  const bytes = await readFile(path).catch(messageOf);
  if (typeof bytes === "string") taken.failed.push({ path: sourceId, reason: bytes });
  else note(taken, await addFiles(scope, CLI_ACTOR, [{ ...labels, sourceId, bytes }], { widenTo }));
}

async function takeRows(scope: TenantScope, name: string, rows: Rows, labels: Labels, taken: Taken): Promise<void> {
  let batch: { row: number; source: SourceInput }[] = [];
  const flush = async () => {
    interrupted.throwIfAborted();
    const given = batch.map(({ source }) => ({ sourceId: source.sourceId ?? "", audience: source.audience ?? null }));
    const gained = await findGained(scope, CLI_ACTOR, given, labels.widenTo);
    const sources: SourceInput[] = [];
    for (const { row, source } of batch) {
      const audiences = gained.get(source.sourceId ?? "");
      if (audiences) taken.failed.push({ path: `${name}:${row}`, reason: wouldGain(audiences) });
      else sources.push(source);
    }
    note(taken, await addSources(scope, CLI_ACTOR, sources, { widenTo: labels.widenTo }));
    batch = [];
  };
  for await (const row of rows) {
    if ("error" in row) taken.failed.push({ path: `${name}:${row.row}`, reason: row.error });
    else batch.push({ row: row.row, source: labelled(row.source, labels) });
    if (batch.length === ROWS_AT_ONCE) await flush();
  }
  await flush();
}

function wouldGain(audiences: string[]): string {
  return `it would become visible to ${audiences.join(", ")} as well; repeat with --yes if it should`;
}

/** What a row says itself goes before what the command says of all. */
function labelled(source: SourceInput, { audience, contentCategory, path }: Labels): SourceInput {
  return {
    ...source,
    audience: source.audience ?? audience,
    contentCategory: source.contentCategory ?? contentCategory,
    path: source.path ?? path,
  };
}

function note({ accepted }: Taken, list: Accepted[]): void {
  for (const one of list) accepted.set(one.sourceId, one);
}
