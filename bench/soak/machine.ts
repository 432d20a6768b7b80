import type { Random } from "./random.ts";

/** One promise of the product and what a run measured. */
export interface Measured {
  promise: string;
  measured: string;
  kept: boolean;
}

export interface MachineRun {
  random: Random;
  /** Printed with the results, so that a run can be repeated. */
  seed: number;
  /** True for a run of about a minute; false for the full one. */
  short: boolean;
  /** Overrides the duration of machines that run for a fixed time. */
  minutes?: number;
  /** Overrides the requests per second of machines that send at a fixed rate. */
  rate?: number;
  /** Runs only the parts whose name contains this text. */
  only?: string;
  /** Runs `neighbours` on a PostgreSQL server of its own instead of the embedded database. */
  postgres: boolean;
  /** Prints a line of progress. */
  say(line: string): void;
}

/** Prints the rows of one part, because a later one may be interrupted. @returns the rows */
export function told(say: MachineRun["say"], rows: Measured[]): Measured[] {
  for (const { promise, measured, kept } of rows) say(`${kept ? "kept" : "NOT KEPT"}: ${promise}: ${measured}`);
  return rows;
}

/** A long-running check that attacks the product and compares the outcome with its promises. */
export interface Machine {
  /** One line for `npm run soak -- --help`. */
  about: string;
  run(run: MachineRun): Promise<Measured[]>;
}
