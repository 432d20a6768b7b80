import { HANG_MS } from "./raw-answers.ts";

const SHOWN_TIMES = 3;

/** Counts of what the fuzzing found. */
export class Findings {
  /** Number of breaches of each kind. */
  readonly breaches: Record<string, number> = {};
  hangs = 0;
  /** Number of responses by status. */
  readonly statuses: Record<number, number> = {};
  /** Ids of the operations that succeeded at least once. */
  readonly served = new Set<string>();
  readonly #say: (line: string) => void;

  /** @param say prints the first breaches of each kind */
  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Counts one response with its breaches and duration. @param what names the request */
  note(what: string, status: number, breaches: string[], ms: number): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    for (const breach of breaches) this.#count(what, breach);
    if (ms <= HANG_MS) return;
    this.hangs++;
    this.#say(`${what} → took ${Math.round(ms)} ms`);
  }

  get faults(): number {
    return Object.entries(this.statuses).reduce((sum, [status, count]) => sum + (Number(status) >= 500 ? count : 0), 0);
  }

  get total(): number {
    return Object.values(this.breaches).reduce((sum, count) => sum + count, 0);
  }

  #count(what: string, breach: string): void {
    const times = (this.breaches[breach] ?? 0) + 1;
    this.breaches[breach] = times;
    if (times <= SHOWN_TIMES) this.#say(`${what} → ${breach}`);
  }
}
