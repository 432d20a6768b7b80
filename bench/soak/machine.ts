import { messageOf } from "../../lib/errors.ts";
import type { Random } from "./random.ts";

/** One promise of the product and what a run measured. */
export interface Measured {
  promise: string;
  measured: string;
  /** `skipped` when this machine cannot check the promise. */
  kept: boolean | "skipped";
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
export function reportRows(say: MachineRun["say"], rows: Measured[]): Measured[] {
  for (const { promise, measured, kept } of rows) say(`${VERDICTS[`${kept}`]}: ${promise}: ${measured}`);
  return rows;
}

const VERDICTS = { true: "kept", false: "NOT KEPT", skipped: "skipped" };

/** The row of a part that this machine cannot run. A skipped promise is not a kept one. */
export function skipped(part: string, reason: string): Measured {
  return { promise: `${part}: not checked`, measured: reason, kept: "skipped" };
}

/** The row of a part that an error ended. */
export function broken(part: string, error: unknown): Measured {
  return { promise: `${part}: the check runs to its end`, measured: messageOf(error), kept: false };
}

/**
 * The parts whose name contains `only`, or all.
 * @throws {Error} when there is none, because a check of nothing keeps every promise
 */
export function chosenParts<Part>(parts: readonly Part[], nameOf: (part: Part) => string, only = ""): Part[] {
  const chosen = parts.filter((part) => nameOf(part).includes(only));
  if (chosen.length > 0) return chosen;
  throw new Error(`No part is named like --only ${only}. The parts: ${parts.map(nameOf).join(", ")}.`);
}

export function row(promise: string, measured: string, kept: boolean): Measured {
  return { promise, measured, kept };
}

/** A long-running check that attacks the product and compares the outcome with its promises. */
export interface Machine {
  /** One line for `npm run soak -- --help`. */
  about: string;
  run(run: MachineRun): Promise<Measured[]>;
}
