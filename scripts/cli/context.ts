import { realpath, stat } from "node:fs/promises";
import type { Command } from "commander";
import { type Outcome, say } from "../../lib/client/cli/terminal.ts";
import { resolveTyped } from "../../lib/client/cli/walk-files.ts";
import { env } from "../../lib/env.ts";
import { logToStandardError } from "../../lib/log.ts";
import { closeDatabase, openDatabase, requireCurrentSchema } from "./database.ts";
import { reasonOf } from "./reason-of.ts";

/** A mistake of the operator. Its message is shown as is, with exit status 1. */
export class UsageError extends Error {}

interface RunOptions {
  /** `current` (default): must have this release's schema. `any`: any schema. `none`: the command opens it itself. */
  database?: "current" | "any" | "none";
}

const STOPPED = "Stopped.";
const interruption = new AbortController();
/** Aborts on Ctrl-C, so that long work stops cleanly. */
export const interrupted = interruption.signal;

/** Runs a command with the database open, and closes the database. Only the outcome goes to standard output. */
export async function run(
  command: Command,
  work: () => Promise<Outcome>,
  { database = "current" }: RunOptions = {},
): Promise<void> {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, interrupt);
  try {
    if (database !== "none") {
      env();
      logToStandardError();
      await openDatabase();
    }
    if (database === "current") await requireCurrentSchema();
    const { value, lines, failure } = await work();
    await print(json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(""));
    if (failure) fail(failure);
  } catch (error) {
    fail(interrupted.aborted ? STOPPED : reasonOf(error));
  } finally {
    await closeDatabase();
  }
}

function interrupt(): void {
  interruption.abort(new UsageError(STOPPED));
  // ends a command that waits for input; an error would crash one that does not listen for it
  process.stdin.destroy();
}

/**
 * Resolves a path against the folder where the operator typed it: npm runs scripts in the project's folder.
 * @throws {RagstoneError} for a blank path
 */
export function resolveTypedPath(path: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: here } = process.env;
  return resolveTyped(path, script === "ragstone" && here ? here : undefined);
}

/** Parses a number. Other text becomes NaN, which the schema then refuses with the field's name. */
export function numberOf(given: string | undefined): number | undefined {
  return given === undefined ? undefined : Number(given.trim() || Number.NaN);
}

/** Resolves the path of an existing file. @throws {UsageError} */
export async function readableFile(path: string): Promise<string> {
  const file = resolveTypedPath(path);
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) throw new UsageError(`${path} does not exist or is not a file.`);
  return file;
}

/** Resolves the path of a file to write, through links. @throws {UsageError} for a device or a folder */
export async function writableFile(path: string): Promise<string> {
  const typed = resolveTypedPath(path);
  const file = await realpath(typed).catch(() => typed);
  const found = await stat(file).catch(() => null);
  if (found && !found.isFile()) throw new UsageError(`${path} is not a regular file.`);
  return file;
}

/** Adds an example to the end of a command's help. */
export function example(command: Command, line: string): Command {
  return command.addHelpText("after", `\nExample:\n  npm run --silent ragstone -- ${line}`);
}

function fail(reason: string): void {
  say(reason);
  process.exitCode = 1;
}

async function print(text: string): Promise<void> {
  await new Promise((done) => process.stdout.write(text, done));
}
