import type { Ragstone } from "../client.ts";
import { PermissionError, RagstoneError } from "../errors.ts";
import type { SourceLabels, SourceState } from "../source-types.ts";
import { counted } from "./counted.ts";
import { findProblem, isLines } from "./find-problem.ts";
import { followAll } from "./follow.ts";
import type { Ingestion } from "./ingestion.ts";
import { labelOutcome } from "./label-outcome.ts";
import { readRows } from "./read-rows.ts";
import { sendFiles } from "./send-files.ts";
import { sendQuestions, sendRows } from "./send-rows.ts";
import { confirmDeletion, type Outcome, say, showProgress } from "./terminal.ts";
import { bulkName, isBulkFile, LINK_OUT, STDIN, type WalkedFile, walkFiles } from "./walk-files.ts";

export interface IngestOptions {
  labels: SourceLabels;
  /** Allow existing sources to gain the audiences in rows of bulk files. */
  widen: boolean;
  /** Whether to wait until everything is ready or failed. */
  wait: boolean;
  /** Delete the sources that are not given. `max`: without asking, up to this number. */
  prune?: { max: number | undefined } | undefined;
  signal?: AbortSignal | undefined;
}

interface Notice {
  path: string;
  notice: string;
}

/** What `ingest` did, as `--json` prints it. */
interface IngestResult {
  sources: number;
  chunks: number;
  unchanged: number;
  failed: { path: string; reason: string }[];
  seconds: number;
  /** What was left out or hard to read; absent if there is nothing to say. */
  notices?: Notice[];
  /** The existing sources whose labels changed; absent if there are none. */
  relabelled?: { sourceId: string; changes: string[] }[];
}

const SOURCES_PER_PAGE = 200;
const SOURCES_PER_DELETION = 200;

/**
 * Brings a server's knowledge up to date with files, folders and bulk files. Only files that changed are sent.
 * @param paths that exist; `-` is `.jsonl` from standard input
 * @throws {RagstoneError}
 */
export async function ingestRemotely(client: Ragstone, paths: string[], options: IngestOptions): Promise<Outcome> {
  const started = Date.now();
  if (options.prune) await requireListing(client, options);
  const ingestion = await sendAll(client, paths, options);
  const done = options.wait ? await waitForAll(client, ingestion, started) : queuedOutcome(ingestion);
  const { lines, failure, pruned } = await prune(client, { ...ingestion, failed: done.failed }, options);
  const value = { ...done.value, ...pruned };
  return { value, lines: [...done.lines, ...lines], failure: failure ?? failureOf(ingestion) };
}

/**
 * The lines that `ingest` prints for people.
 * @param changes a line for each changed label
 */
export function describeIngest(result: IngestResult, changes: string[]): string[] {
  const { sources, chunks, unchanged, failed, notices = [], seconds } = result;
  return [
    `${counted(sources, "source")}, ${counted(chunks, "chunk")}, ${unchanged} unchanged, ${failed.length} failed in ${seconds} s`,
    ...changes,
    ...notices.map(({ path, notice }) => `notice: ${path}: ${notice}`),
    ...failed.map(({ path, reason }) => `failed: ${path}: ${reason}`),
  ];
}

async function sendAll(client: Ragstone, paths: string[], options: IngestOptions): Promise<Ingestion> {
  const { files, failed } = await walkFiles(paths.filter((path) => path !== STDIN));
  const ingestion: Ingestion = {
    options: { signal: options.signal },
    accepted: new Map(),
    unchanged: new Map(),
    failed,
    policyRefusals: 0,
  };
  const sendable = await withoutProblems(files, ingestion);
  const documents = sendable.filter(({ path }) => !isBulkFile(path));
  for (const file of sendable.filter((each) => !documents.includes(each))) {
    const { path, sourceId } = file;
    if (isLines(path)) await sendRows(client, sourceId, readRows(path, bulkName(file)), options, ingestion);
    else await sendQuestions(client, file, options, ingestion);
  }
  if (paths.includes(STDIN)) await sendRows(client, STDIN, readRows(process.stdin, STDIN), options, ingestion);
  await sendFiles(client, documents, options.labels, ingestion);
  return ingestion;
}

/** The files that can be read and sent. The others are listed as failed. */
async function withoutProblems(files: WalkedFile[], { failed }: Ingestion): Promise<WalkedFile[]> {
  const sendable: WalkedFile[] = [];
  for (const file of files) {
    const reason = await findProblem(file.path);
    if (reason === null) sendable.push(file);
    else failed.push({ path: file.sourceId, reason });
  }
  return sendable;
}

/** Set if the policy refused everything: then the labels of the command or the key are wrong, not single files. */
function failureOf({ accepted, unchanged, policyRefusals }: Ingestion): string | undefined {
  if (policyRefusals === 0 || accepted.size + unchanged.size > 0) return undefined;
  return "Nothing was ingested, because the policy of the API key does not allow it. Use other labels or another key.";
}

/** Waits until every sent source is ready, failed or deferred by an outage. */
async function waitForAll(client: Ragstone, ingestion: Ingestion, started: number) {
  const { accepted, unchanged, options } = ingestion;
  const all = [...accepted.values()];
  const failed = [...ingestion.failed];
  const notices: Notice[] = [];
  let done = 0;
  let chunks = 0;
  await followAll(client, all, options, ({ sourceId }, state) => {
    const reason = reasonOfState(state);
    if (reason) failed.push({ path: sourceId, reason });
    else chunks += state?.chunks ?? 0;
    if (!reason && state?.notice) notices.push({ path: sourceId, notice: state.notice });
    showProgress(++done, all.length);
  });
  const { relabelled, changes } = labelOutcome(all);
  const ready = all.length - (failed.length - ingestion.failed.length);
  const value: IngestResult = {
    sources: ready + unchanged.size,
    chunks: [...unchanged.values()].reduce((sum, each) => sum + each, chunks),
    unchanged: all.filter((each) => each.unchanged && each.status === "ready").length + unchanged.size,
    failed,
    ...(notices.length > 0 && { notices }),
    seconds: Math.round((Date.now() - started) / 100) / 10,
    ...relabelled,
  };
  return { value, lines: describeIngest(value, changes), failed };
}

/** Why a source is not ready; null if it is. */
function reasonOfState(state: SourceState | undefined): string | null {
  if (state === undefined || state.status === "deleted") return "The source was deleted in the meantime.";
  if (state.status === "processing") return `Waiting to retry: ${state.progress?.waitsFor}`;
  return state.status === "ready" ? null : (state.error ?? "Processing failed.");
}

function queuedOutcome({ accepted, failed }: Ingestion) {
  for (const { path, reason } of failed) say(`${path}: ${reason}`);
  const all = [...accepted.values()];
  const queued = all.filter(({ status }) => status === "processing").length;
  const { relabelled, changes } = labelOutcome(all);
  return { value: { queued, ...relabelled }, lines: [`${queued} queued`, ...changes], failed };
}

/** @throws {RagstoneError} when the key may not list sources, before anything is sent */
async function requireListing(client: Ragstone, { signal }: IngestOptions): Promise<void> {
  try {
    await client.sources.list({ limit: 1 }, { signal }).next();
  } catch (error) {
    if (!(error instanceof PermissionError) || error.body.requiredScope === undefined) throw error;
    throw new RagstoneError("Nothing was sent, because --prune needs an API key with the scope manage.");
  }
}

/** Deletes the sources that were not given, if requested and confirmed. */
async function prune(client: Ragstone, ingestion: Ingestion, options: IngestOptions) {
  if (!options.prune) return { lines: [] };
  const { accepted, unchanged } = ingestion;
  try {
    // a file that failed still exists, and may be the new place of a source that is gone
    if (ingestion.failed.some(({ reason }) => reason !== LINK_OUT))
      throw new RagstoneError("Nothing was deleted, because some files failed. Correct or remove them, then repeat.");
    // a link may have replaced a file or folder that was added before
    const links = ingestion.failed.map(({ path }) => path);
    const isBehindLink = (id: string) => links.some((link) => id === link || id.startsWith(`${link}/`));
    const gone: string[] = [];
    for await (const { sourceId, attachedTo } of client.sources.list({ limit: SOURCES_PER_PAGE }, ingestion.options)) {
      const isGiven = accepted.has(sourceId) || unchanged.has(sourceId) || isBehindLink(sourceId);
      // an attachment goes with its email
      if (!isGiven && attachedTo === null) gone.push(sourceId);
    }
    if (gone.length > 0) await confirmDeletion(gone, options.prune.max, options.signal);
    for (let start = 0; start < gone.length; start += SOURCES_PER_DELETION) {
      const sourceIds = gone.slice(start, start + SOURCES_PER_DELETION);
      await client.sources.deleteMany({ sourceIds, confirm: sourceIds.length }, ingestion.options);
    }
    return { lines: [`${gone.length} deleted`], pruned: { deleted: gone } };
  } catch (error) {
    if (!(error instanceof RagstoneError)) throw error;
    return { lines: [], failure: error.message };
  }
}
