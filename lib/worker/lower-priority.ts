import { getPriority, setPriority } from "node:os";
import { log } from "../log.ts";

/** High enough to put questions first, low enough for reading to stay within its time limits on a busy machine. */
const NICENESS = 5;
const NICENESS_MAX = 19;

/** Lowers the priority of this process and of those it starts from now on, below that of the server. */
export function lowerPriority(): void {
  try {
    setPriority(Math.min(NICENESS_MAX, getPriority() + NICENESS));
  } catch (error) {
    // a sandbox may forbid it
    log().warn({ err: error }, "worker: could not lower the priority");
  }
}
