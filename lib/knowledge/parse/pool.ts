import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { bulkhead, isBulkheadRejectedError, isTaskCancelledError } from "cockatiel";
import type { CompanyId } from "../../db/tenant.ts";
import { AppError } from "../../errors.ts";
import { companyQueue } from "../../retrieval/company-queue.ts";
import { singleton } from "../../singleton.ts";
import type { Piece, PieceRequest } from "../ingest/pieces.ts";
import { keepParser, type Parser, takeParser } from "./child-processes.ts";
import { type ParsedDocument, type ReadingProgress, UnreadableFile } from "./document.ts";
import type { Sheet } from "./sheet.ts";
import type { WantedRows } from "./wanted-rows.ts";

type ParseRequest =
  | { kind: "document"; bytes: Uint8Array; fileName: string }
  | { kind: "sheets"; bytes: Uint8Array; fileName: string; wanted: WantedRows }
  | { kind: "markdown"; bytes: Uint8Array };

/** A message to a child: a file to read, texts or a version to prepare, or a request for the version's next piece. */
export type ChildRequest = (
  | ParseRequest
  | PieceRequest
  | { kind: "texts"; texts: PieceRequest[] }
  | { kind: "wake" | "next" }
) & {
  /** Processor time allowed for the reply, which does not depend on other load. The child kills itself above it. */
  cpuMs: number;
};

export type ParseReply =
  | { kind: "awake" }
  | { kind: "piece"; piece: Piece }
  | { kind: "texts"; pieces: (Piece | null)[] }
  | { kind: "progress"; progress: ReadingProgress }
  | { kind: "document"; document: ParsedDocument }
  | { kind: "sheets"; sheets: Sheet[] }
  | { kind: "tooManyRows"; reason: string }
  | { kind: "unreadable"; reason: string };

const MB = 1024 * 1024;
/** A document of 872 pages in half a megabyte takes 4 s. A file that needs far more for its size is hostile. */
const READING_CPU_MS = { least: 20_000, perMegabyte: 800 };
/** The next chunks of a version normally take 0.1 s. */
const PIECE_CPU_MS = 10_000;
const NEXT_PIECE: ChildRequest = { kind: "next", cpuMs: PIECE_CPU_MS };
/** A dense page of a scan takes 5 s to recognise. */
const PAGE_TIME = { timeMs: 120_000, cpuMs: 60_000 };
const TIME_MS = 60_000;
const TIME_MS_LARGE = 120_000;
const LARGE_FILE_BYTES = 10 * MB;
/** Per process. Each child may use 900 MB. */
const CHILDREN_MAX = 2;
/** Files that may wait for a child. Further files are refused. */
const WAITING_MAX = 8;
/** Fewer than there are children, because a file of another company would wait until one of two slow files is read. */
const CHILDREN_PER_COMPANY = 1;
const RETRY_SECONDS = 10;

/** Reading the file took too long. */
export class ReadingTimeout extends UnreadableFile {}

/** Tighter limits than the file's size allows: elapsed time once a child is free, and processor time. */
interface ReadingTime {
  timeMs?: number;
  cpuMs?: number;
}

interface ReadingOptions extends ReadingTime {
  /** The company whose file it is. Without one, the file waits only for a child. */
  companyId?: CompanyId | undefined;
}

const READERS = singleton("readers", () => bulkhead(CHILDREN_MAX, WAITING_MAX));
const READER_QUEUE = singleton("readerQueue", () =>
  companyQueue({
    atOnce: CHILDREN_PER_COMPANY,
    atOnceBesideOthers: CHILDREN_PER_COMPANY,
    yieldMaxMs: 0,
    pauseMaxMs: 0,
  }),
);

/**
 * Reads one file in a child process as soon as a child is free and the company's earlier files are read. A child is
 * reused after a success and replaced after a failure.
 * @param request the request, or a function that creates it once a child is free, so that waiting files need no memory
 * @throws {UnreadableFile} with the reason, including when the file needs too much time or memory
 * @throws {AppError} ServiceUnavailable when too many files are waiting
 */
export async function requestParse(
  request: ParseRequest | (() => Promise<ParseRequest>),
  signal?: AbortSignal,
  { companyId, ...most }: ReadingOptions = {},
): Promise<ParseReply> {
  signal?.throwIfAborted();
  const read = () =>
    READERS.get().execute(
      async () => parse(typeof request === "function" ? await request() : request, signal, most),
      signal,
    );
  try {
    return await (companyId === undefined ? read() : READER_QUEUE.get().run(companyId, read, signal));
  } catch (error) {
    if (isTaskCancelledError(error)) signal?.throwIfAborted();
    if (isBulkheadRejectedError(error)) throw busy();
    throw error;
  }
}

function busy(): AppError {
  const message = `The server is reading too many files at the same time. Retry in ${RETRY_SECONDS} seconds.`;
  return new AppError("ServiceUnavailable", message, { headers: { "Retry-After": String(RETRY_SECONDS) } });
}

async function parse(request: ParseRequest, signal: AbortSignal | undefined, most: ReadingTime): Promise<ParseReply> {
  const parser = takeParser();
  const { length } = request.bytes;
  const timeMs = most.timeMs ?? (length > LARGE_FILE_BYTES ? TIME_MS_LARGE : TIME_MS);
  const cpuMs = most.cpuMs ?? readingCpuMs(length);
  try {
    const reply = await exchange(parser.child, { ...request, cpuMs }, timeMs, signal);
    keepParser(parser, "file");
    return reply;
  } catch (error) {
    parser.child.kill("SIGKILL");
    throw error;
  }
}

/**
 * Prepares texts in a child process, all in one message. Only workers call this.
 * @returns the only piece of each text; null for a text that has several or cannot be read
 * @throws {ReadingTimeout} @throws {UnreadableFile}
 */
export async function requestTexts(
  texts: PieceRequest[],
  timeMs: number,
  signal?: AbortSignal,
): Promise<(Piece | null)[]> {
  signal?.throwIfAborted();
  const parser = takeParser();
  const size = texts.reduce((sum, text) => sum + sizeOf(text), 0);
  try {
    await wake(parser, signal);
    const reply = await exchange(parser.child, { kind: "texts", texts, cpuMs: readingCpuMs(size) }, timeMs, signal);
    keepParser(parser, "text", texts.length);
    return reply.kind === "texts" ? reply.pieces : [];
  } catch (error) {
    parser.child.kill("SIGKILL");
    throw error;
  }
}

/** Starting a process may take seconds on a busy machine, which must not count against the file. */
async function wake({ child, textsRead }: Parser, signal?: AbortSignal): Promise<void> {
  if (textsRead === 0) await exchange(child, { ...NEXT_PIECE, kind: "wake" }, TIME_MS, signal);
}

/**
 * Prepares a version in a child process, piece by piece. The child works only when the next piece is requested. Only
 * workers call this, for one version per lane, so no request has to wait here.
 * @param timeMs the child's time for all pieces; the caller's time between pieces does not count. Each page whose text
 * is recognised has at least two minutes.
 * @throws {ReadingTimeout} @throws {UnreadableFile}
 */
export async function* requestPieces(
  request: PieceRequest,
  timeMs: number,
  signal?: AbortSignal,
): AsyncGenerator<Piece | ReadingProgress> {
  signal?.throwIfAborted();
  const parser = takeParser();
  const first: ChildRequest = { ...request, cpuMs: readingCpuMs(sizeOf(request)) };
  const nextPage: ChildRequest = { kind: "next", cpuMs: PAGE_TIME.cpuMs };
  let idle = false;
  try {
    await wake(parser, signal);
    for (let left = timeMs, wanted: ChildRequest = first; !idle; ) {
      const started = performance.now();
      const reply = await exchange(parser.child, wanted, Math.max(1, Math.ceil(left)), signal);
      left -= performance.now() - started;
      wanted = NEXT_PIECE;
      if (reply.kind === "progress") {
        left = Math.max(left, PAGE_TIME.timeMs);
        wanted = nextPage;
        yield reply.progress;
        continue;
      }
      idle = reply.kind !== "piece" || reply.piece.last;
      if (idle) keepParser(parser, request.body.kind === "file" ? "file" : "text");
      if (reply.kind === "unreadable") throw new UnreadableFile(reply.reason);
      if (reply.kind === "piece") yield reply.piece;
    }
  } finally {
    // the caller stopped early, so the child still waits for a request
    if (!idle) parser.child.kill("SIGKILL");
  }
}

async function exchange(
  child: ChildProcess,
  request: ChildRequest,
  timeMs: number,
  signal?: AbortSignal,
): Promise<ParseReply> {
  const done = new AbortController();
  const timeout = AbortSignal.timeout(timeMs);
  const stop = AbortSignal.any([done.signal, timeout, ...(signal ? [signal] : [])]);
  try {
    const reply = once(child, "message", { signal: stop }).then(([message]): ParseReply => message);
    const end = once(child, "exit", { signal: stop }).then(([code, killer]) => failure(code, killer, request.cpuMs));
    // the promise that loses the race is aborted below and must not become an unhandled rejection
    end.catch(() => {});
    reply.catch(() => {});
    child.send(request, () => {});
    const outcome = await Promise.race([reply, end]);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  } catch (error) {
    if (timeout.aborted && !signal?.aborted) throw tooSlow(timeMs);
    throw signal?.aborted ? signal.reason : error;
  } finally {
    done.abort();
  }
}

function readingCpuMs(bytes: number): number {
  return READING_CPU_MS.least + READING_CPU_MS.perMegabyte * (bytes / MB);
}

function sizeOf({ body }: PieceRequest): number {
  if (body.kind === "file") return body.bytes.length;
  return body.kind === "text" ? body.content.length : body.question.length + body.answer.length;
}

/** The watchdog sends SIGALRM when time runs out. When memory runs out, Node aborts, or the watchdog or the system kills the child. */
function failure(code: number | null, killer: NodeJS.Signals | null, cpuMs: number): UnreadableFile {
  if (killer === "SIGALRM") return tooSlow(cpuMs);
  if (killer !== null || code === 134) {
    return new UnreadableFile("Reading the file takes too much memory. Split it into smaller files.");
  }
  return new UnreadableFile("Reading the file stopped unexpectedly. Add it again, or save it in another format first.");
}

function tooSlow(timeMs: number): ReadingTimeout {
  const seconds = Math.round(timeMs / 1000);
  return new ReadingTimeout(`Reading the file takes longer than ${seconds} seconds. Split it into smaller files.`);
}
