import { createInterface } from "node:readline/promises";
import { RagstoneError } from "../errors.ts";
import { counted } from "./counted.ts";

/** The output of a command: a value for `--json`, and lines for people. */
export interface Outcome {
  value: unknown;
  lines: string[];
  /** Set if the command failed. Printed on standard error after the output, with exit status 1. */
  failure?: string | undefined;
}

const BAR_LENGTH = 20;
const NAMES_SHOWN = 5;

/** Prints progress and messages to standard error. */
export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Redraws a progress bar, if standard error is a terminal. */
export function showProgress(done: number, total: number): void {
  if (!process.stderr.isTTY || total === 0) return;
  const filled = Math.round((done / total) * BAR_LENGTH);
  const end = done === total ? "\n" : "";
  process.stderr.write(`\r[${"#".repeat(filled)}${".".repeat(BAR_LENGTH - filled)}] ${done}/${total}${end}`);
}

/**
 * Asks whether these sources may be deleted. In a terminal a person types their number; elsewhere `--prune` gives the
 * maximum number.
 * @param max the number after `--prune`
 * @param signal ends the question
 * @throws {RagstoneError} if they may not be deleted
 */
export async function confirmDeletion(
  sourceIds: string[],
  max: number | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const count = sourceIds.length;
  if (max !== undefined && count <= max) return;
  const more = count > NAMES_SHOWN ? ", …" : "";
  const which = `${counted(count, "source")} whose files are gone: ${sourceIds.slice(0, NAMES_SHOWN).join(", ")}${more}`;
  if (max !== undefined || !process.stdin.isTTY) {
    throw new RagstoneError(`Nothing was deleted. To delete ${which}, repeat with --prune ${count}.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // while it asks, the terminal sends Ctrl-C as a key
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const question = `Delete ${which}? Type ${count} to confirm: `;
  const answer = await terminal.question(question, { signal }).finally(() => terminal.close());
  if (answer.trim() !== String(count))
    throw new RagstoneError(`That is not ${count}, so nothing was deleted. Repeat the command to try again.`);
}
