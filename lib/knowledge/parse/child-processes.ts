import { type ChildProcess, fork } from "node:child_process";
import { realpathSync } from "node:fs";
import path from "node:path";
import { isBackgroundMode, lowerPriority } from "../../background-work.ts";
import { env } from "../../env.ts";
import { projectRoot } from "../../project-root.ts";

const OLD_SPACE_MEGABYTES = 700;
/** A child is replaced after this many texts. Starting one takes a second. */
const TEXTS_PER_CHILD = 10_000;
/** A file counts as many texts, because the library of its format may keep memory. */
const COUNTS_AS = { file: 50, text: 1 };
const IDLE_MS = 15_000;
/** For one child of the worker, because starting one takes more than a second of processor time. */
const LAST_IDLE_MS = 5 * 60_000;

/** A child process that reads files. */
export interface Parser {
  child: ChildProcess;
  /** How many texts it has read; a file counts as several. */
  textsRead: number;
  /** Stops it when it has been idle for long. */
  idle: NodeJS.Timeout | null;
}

const idleParsers: Parser[] = [];

/** Returns an idle child, or starts one. The caller gives it back to `keepParser`, or kills it. */
export function takeParser(): Parser {
  const parser = idleParsers.pop();
  if (parser === undefined) return { child: startChild(), textsRead: 0, idle: null };
  if (parser.idle !== null) clearTimeout(parser.idle);
  if (!parser.child.connected) return takeParser();
  parser.child.ref();
  parser.child.channel?.ref();
  return parser;
}

/** Keeps a child for the next file, for a short time. */
export function keepParser(parser: Parser, read: keyof typeof COUNTS_AS, count = 1): void {
  parser.textsRead += COUNTS_AS[read] * count;
  if (parser.textsRead >= TEXTS_PER_CHILD) {
    parser.child.kill("SIGKILL");
    return;
  }
  // an idle child does not keep this process alive, and ends when its channel closes
  parser.child.unref();
  parser.child.channel?.unref();
  const idleMs = isBackgroundMode() && idleParsers.length === 0 ? LAST_IDLE_MS : IDLE_MS;
  parser.idle = setTimeout(() => {
    idleParsers.splice(idleParsers.indexOf(parser), 1);
    parser.child.kill("SIGKILL");
  }, idleMs).unref();
  idleParsers.push(parser);
}

/**
 * The child may read the code only. It gets no environment and may not write, so a hostile file finds nothing. Drawing
 * pages for text recognition needs compiled code.
 */
function permissions(root: string): string[] {
  const readable = ["lib", "models", "next.config.mjs", "node_modules", "package.json"].map((name) =>
    realpathSync(path.join(/* turbopackIgnore: true */ root, name)),
  );
  const addons = env().ocrLanguages.length > 0 ? ["--allow-addons"] : [];
  return ["--permission", "--allow-worker", ...addons, ...readable.map((place) => `--allow-fs-read=${place}`)];
}

function startChild(): ChildProcess {
  // the source file, even when this code runs from a bundle
  const root = projectRoot();
  const entry = path.join(/* turbopackIgnore: true */ root, "lib", "knowledge", "parse", "child.ts");
  const child = fork(entry, {
    execArgv: [`--max-old-space-size=${OLD_SPACE_MEGABYTES}`, ...permissions(root)],
    env: { NODE_ENV: "production" },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  if (child.pid !== undefined && isBackgroundMode()) lowerPriority("reader", child.pid);
  // the exit event reports a child that cannot start
  child.on("error", () => {});
  return child;
}

/** Stops the idle children. */
export function closeParsers(): void {
  for (const { child, idle } of idleParsers.splice(0)) {
    if (idle !== null) clearTimeout(idle);
    child.kill("SIGKILL");
  }
}
