import { getPriority, setPriority } from "node:os";
import { singleton } from "./singleton.ts";

const NICENESS_MAX = 19;
/** High enough to put questions first, low enough for a process to stay within its time limits on a busy machine. */
const NICENESS = 5;
/** A model has no time limits, but must go on beside programs that use all cores: 10 is a tenth of their share. */
const NICENESS_OF_MODEL = 10;
/** On systems other than Linux, the main thread, which holds locks, gets the model's priority too. */
const NICENESS_OF = { model: process.platform === "linux" ? NICENESS_OF_MODEL : NICENESS, reader: NICENESS };
/** From the start of this process, so that a second call does not lower it again where threads share a priority. */
const PRIORITY_AT_START = getPriority();

const IN_BACKGROUND = singleton("isBackgroundMode", () => false);

/**
 * Makes the model and the readers of this process start at a lower priority. The main thread keeps its own, because
 * others wait while it holds locks or the session of the embedded database.
 */
export function setBackgroundMode(): void {
  IN_BACKGROUND.set(true);
}

/** Whether the model and the readers of this process run at a lower priority. */
export function isBackgroundMode(): boolean {
  return IN_BACKGROUND.get();
}

/**
 * Lowers the priority of this thread and of what it starts later. Only Linux has priorities of threads; on other systems,
 * the whole process gets the lower one.
 * @param work what runs at the lower priority
 * @param pid a process that has just started, to lower its priority instead
 */
export function lowerPriority(work: keyof typeof NICENESS_OF, pid = 0): void {
  try {
    setPriority(pid, Math.min(NICENESS_MAX, PRIORITY_AT_START + NICENESS_OF[work]));
  } catch {
    // a sandbox may forbid it, and the process may have ended
  }
}
