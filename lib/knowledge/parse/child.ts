import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { UnreadableFile } from "./document.ts";
import { parseBytes, parseMarkdownBytes, parseSheets } from "./parse.ts";
import type { ParseReply, ParseRequest } from "./pool.ts";

/** Bytes of memory, buffers included, above which the process ends itself. */
const RSS_MAX = 900 * 1024 * 1024;

/** Runs beside the parser, which may be busy for long: ends the process when its parent is gone or memory runs out. */
const WATCHDOG = `
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent || process.memoryUsage.rss() > ${RSS_MAX}) process.kill(process.pid, "SIGKILL");
  }, 100);
  require("node:worker_threads").parentPort.postMessage("watching");
`;

const watchdog = new Worker(WATCHDOG, { eval: true });
watchdog.unref();
// A thread cannot start while the first one is busy, so no file is read before it has.
const watching = once(watchdog, "message");

process.on("disconnect", () => process.exit());
// A terminal's Ctrl-C reaches the whole group; the parent decides when this process ends.
process.on("SIGINT", () => {});
process.on("message", (request: ParseRequest) => void answer(request));

async function answer(request: ParseRequest): Promise<void> {
  await watching;
  process.send?.(await run(request));
}

async function run(request: ParseRequest): Promise<ParseReply> {
  try {
    if (request.kind === "markdown") return { kind: "document", document: await parseMarkdownBytes(request.bytes) };
    const { kind, bytes, fileName } = request;
    if (kind === "sheets") return { kind, sheets: await parseSheets(bytes, fileName) };
    return { kind, document: await parseBytes(bytes, fileName) };
  } catch (error) {
    if (error instanceof UnreadableFile) return { kind: "unreadable", reason: error.message };
    throw error;
  }
}
