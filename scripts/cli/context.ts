import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import { DrizzleQueryError } from "drizzle-orm";
import { env } from "../../lib/env.ts";
import { AppError } from "../../lib/errors.ts";
import { logToStandardError } from "../../lib/log.ts";
import { closeDatabase, openDatabase, requireCurrentSchema } from "./database.ts";

/** A mistake of the operator's: shown as it is, exit status 1. */
export class UsageError extends Error {}

/** What a command gives back: a value for `--json`, and lines for a person. */
export interface Outcome {
  value: unknown;
  lines: string[];
  /** The outcome is bad news: it is printed, with this line on standard error and exit status 1. */
  failure?: string;
}

interface RunOptions {
  /** `current`, unless said: only of this release. `any`: as it is. `none`: the command opens it itself. */
  database?: "current" | "any" | "none";
}

const interruption = new AbortController();
/** Aborts when the operator presses Ctrl-C: what takes long ends cleanly. */
export const interrupted = interruption.signal;

/** Runs a command with the database at hand, and lets go of it. Standard output is the outcome alone. */
export async function run(
  command: Command,
  work: () => Promise<Outcome>,
  { database = "current" }: RunOptions = {},
): Promise<void> {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => interruption.abort(new UsageError("Stopped.")));
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
    fail(reasonOf(error));
  } finally {
    await closeDatabase();
  }
}

/** Progress and messages, which are not the outcome. */
export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Draws over its last line, for a person who watches. */
export function showProgress(done: number, total: number): void {
  if (!process.stderr.isTTY || total === 0) return;
  const filled = Math.round((done / total) * 20);
  const end = done === total ? "\n" : "";
  process.stderr.write(`\r[${"#".repeat(filled)}${".".repeat(20 - filled)}] ${done}/${total}${end}`);
}

/** A path as the operator typed it, seen from where they typed it: npm runs scripts in the project's folder. */
export function fromHere(path: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: here } = process.env;
  return resolve(script === "ragstone" && here ? here : process.cwd(), path);
}

/** A number as typed; what is none becomes NaN, which the schema behind it refuses by name. */
export function numberOf(given: string | undefined): number | undefined {
  return given === undefined ? undefined : Number(given.trim() || Number.NaN);
}

/** `a,b` as a list; undefined stays so. */
export function listOf(given: string | undefined, separator = ","): string[] | undefined {
  return given?.split(separator).flatMap((part) => part.trim() || []);
}

/** The path of a file that can be read. @throws {UsageError} */
export async function readableFile(path: string): Promise<string> {
  const file = fromHere(path);
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) throw new UsageError(`${path} does not exist or is not a file.`);
  return file;
}

/** The example that ends the help of a command. */
export function example(command: Command, line: string): Command {
  return command.addHelpText("after", `\nExample:\n  npm run --silent ragstone -- ${line}`);
}

/** What went wrong, in one line for the operator. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) {
    const { issues } = error.fields;
    if (!Array.isArray(issues) || issues.length < 2) return error.message;
    return issues.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`).join("; ");
  }
  if (!(error instanceof Error)) return String(error);
  // a failed query names its SQL, its cause what is wrong
  if (error instanceof DrizzleQueryError && error.cause) return reasonOf(error.cause);
  return error.message.split("\n")[0] || error.name;
}

function fail(reason: string): void {
  say(reason);
  process.exitCode = 1;
}

async function print(text: string): Promise<void> {
  await new Promise((done) => process.stdout.write(text, done));
}
