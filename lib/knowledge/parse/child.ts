import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Piece, PieceRequest } from "../ingest/pieces.ts";
import { type ReadingProgress, UnreadableFile } from "./document.ts";
import { parseBytes, parseMarkdownBytes, parseSheets } from "./parse.ts";
import type { ChildRequest, ParseReply } from "./pool.ts";
import { TooManyRows } from "./wanted-rows.ts";

/** Bytes of memory, including buffers, above which the process kills itself. */
const RSS_MAX = 900 * 1024 * 1024;

/** Runs in its own thread because the parser may block for long. Kills the process when its parent is gone or a limit is exceeded. */
const WATCHDOG = `
  const { parentPort } = require("node:worker_threads");
  const parent = process.ppid;
  const cpuMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1_000; };
  let cpuEnd = Infinity;
  parentPort.on("message", (allowedMs) => { cpuEnd = allowedMs === null ? Infinity : cpuMs() + allowedMs; });
  setInterval(() => {
    if (process.ppid !== parent || process.memoryUsage.rss() > ${RSS_MAX}) process.kill(process.pid, "SIGKILL");
    if (cpuMs() > cpuEnd) process.kill(process.pid, "SIGALRM");
  }, 50);
  parentPort.postMessage("watching");
`;

const watchdog = new Worker(WATCHDOG, { eval: true });
watchdog.unref();
// no file is read before the watchdog runs: a thread cannot start while the main thread is busy
const watching = once(watchdog, "message");

process.on("disconnect", () => process.exit());
// Ctrl-C in a terminal reaches the whole process group, but the parent decides when this process ends
process.on("SIGINT", () => {});
// a late rejection in a library, after the reply, must not stop the next file
process.on("unhandledRejection", () => {});
process.on("message", (request: ChildRequest) => void answer(request).catch(() => process.exit(1)));

let pieces: AsyncIterator<Piece | ReadingProgress> | undefined;

async function answer(request: ChildRequest): Promise<void> {
  await watching;
  watchdog.postMessage(request.cpuMs);
  const reply = await run(request);
  watchdog.postMessage(null);
  process.send?.(reply);
}

async function run(request: ChildRequest): Promise<ParseReply> {
  try {
    switch (request.kind) {
      case "wake":
        return await wake();
      case "pieces":
        pieces = await startPieces(request);
        return await nextPiece();
      case "texts":
        return { kind: "texts", pieces: await onlyPieces(request.texts) };
      case "next":
        return await nextPiece();
      case "markdown":
        return { kind: "document", document: await parseMarkdownBytes(request.bytes) };
      case "sheets":
        return { kind: "sheets", sheets: await parseSheets(request.bytes, request.fileName, request.wanted) };
      case "document":
        return { kind: "document", document: await parseBytes(request.bytes, request.fileName) };
    }
  } catch (error) {
    if (error instanceof TooManyRows) return { kind: "tooManyRows", reason: error.message };
    if (error instanceof UnreadableFile) return { kind: "unreadable", reason: error.message };
    throw error;
  }
}

/** Loads the tokenizer, which only workers need. */
async function wake(): Promise<ParseReply> {
  await (await import("../ingest/pieces.ts")).loadTools();
  return { kind: "awake" };
}

async function startPieces(request: PieceRequest): Promise<AsyncGenerator<Piece | ReadingProgress>> {
  const { preparePieces } = await import("../ingest/pieces.ts");
  return preparePieces(request);
}

/** Null for a text that is prepared on its own instead: it has several pieces or cannot be read. */
async function onlyPieces(texts: PieceRequest[]): Promise<(Piece | null)[]> {
  const found: (Piece | null)[] = [];
  for (const text of texts) found.push(await onlyPiece(text));
  return found;
}

async function onlyPiece(text: PieceRequest): Promise<Piece | null> {
  try {
    for await (const piece of await startPieces(text)) return "last" in piece && piece.last ? piece : null;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
  }
  return null;
}

async function nextPiece(): Promise<ParseReply> {
  const next = await pieces?.next();
  if (!next || next.done) throw new Error("no next piece");
  return "last" in next.value ? { kind: "piece", piece: next.value } : { kind: "progress", progress: next.value };
}
