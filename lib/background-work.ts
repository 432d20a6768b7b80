import { getPriority, setPriority } from "node:os";
import { singleton } from "./singleton.ts";

/** High enough to put questions first, low enough for reading to stay within its time limits on a busy machine. */
const NICENESS = 5;
const NICENESS_MAX = 19;
/** From the start of this process, so that a second call does not lower it again where threads share a priority. */
const LOWER = Math.min(NICENESS_MAX, getPriority() + NICENESS);

const IN_BACKGROUND = singleton("computesInBackground", () => false);

/**
 * Lets this process compute in the background from now on: its model and its readers run at a lower priority. Its main
 * thread does not, because others wait while it holds locks or the session of the embedded database.
 */
export function computeInBackground(): void {
  IN_BACKGROUND.set(true);
}

/** Whether the model and the readers of this process run at a lower priority. */
export function computesInBackground(): boolean {
  return IN_BACKGROUND.get();
}

/**
 * Lowers the priority of a process that was just started or, without one, of this thread and what it starts from now on.
 * Only Linux has priorities of threads; elsewhere, those of the whole process change.
 */
export function lowerPriority(pid = 0): void {
  try {
    setPriority(pid, LOWER);
  } catch {
    // a sandbox may forbid it, and the process may have ended
  }
}
