import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Piece, PieceRequest } from "../ingest/pieces.ts";
import { UnreadableFile } from "./document.ts";
import { parseBytes, parseMarkdownBytes, parseSheets } from "./parse.ts";
import type { ChildRequest, ParseReply } from "./pool.ts";

/** Bytes of memory, buffers included, above which the process ends itself. */
const RSS_MAX = 900 * 1024 * 1024;

/** Runs beside the parser, which may be busy for long: ends the process when its parent is gone or a limit is passed. */
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
// A thread cannot start while the first one is busy, so no file is read before it has.
const watching = once(watchdog, "message");

process.on("disconnect", () => process.exit());
// A terminal's Ctrl-C reaches the whole group; the parent decides when this process ends.
process.on("SIGINT", () => {});
// what a library leaves behind of a file that was answered must not end the reading of the next one
process.on("unhandledRejection", () => {});
process.on("message", (request: ChildRequest) => void answer(request).catch(() => process.exit(1)));

let pieces: AsyncIterator<Piece> | undefined;

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
      case "next":
        return await nextPiece();
      case "markdown":
        return { kind: "document", document: await parseMarkdownBytes(request.bytes) };
      case "sheets":
        return { kind: "sheets", sheets: await parseSheets(request.bytes, request.fileName) };
      case "document":
        return { kind: "document", document: await parseBytes(request.bytes, request.fileName) };
    }
  } catch (error) {
    if (error instanceof UnreadableFile) return { kind: "unreadable", reason: error.message };
    throw error;
  }
}

/** Only workers need what is loaded here. */
async function wake(): Promise<ParseReply> {
  await (await import("../ingest/pieces.ts")).loadTools();
  return { kind: "awake" };
}

async function startPieces(request: PieceRequest): Promise<AsyncIterator<Piece>> {
  const { preparePieces } = await import("../ingest/pieces.ts");
  return preparePieces(request);
}

async function nextPiece(): Promise<ParseReply> {
  const next = await pieces?.next();
  if (!next || next.done) throw new Error("there is no next piece");
  return { kind: "piece", piece: next.value };
}
