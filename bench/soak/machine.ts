import type { Random } from "./random.ts";

/** One promise of the product beside what a run measured. */
export interface Measured {
  promise: string;
  measured: string;
  kept: boolean;
}

export interface MachineRun {
  random: Random;
  /** Printed with the figures, so that a run can be repeated. */
  seed: number;
  /** True for a run of about a minute; false for the full one. */
  short: boolean;
  /** How long a machine that has a length of its own should run, in place of its full or short length. */
  minutes?: number;
  /** Only the parts with these words in their names, of a machine that has parts. */
  only?: string;
  /** Prints a line of progress. */
  say(line: string): void;
}

/** A long-running check that attacks the product and compares what happened with what was promised. */
export interface Machine {
  /** What it does, in one line of `npm run soak -- --help`. */
  about: string;
  run(run: MachineRun): Promise<Measured[]>;
}
