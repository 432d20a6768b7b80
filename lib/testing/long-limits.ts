import { afterAll, beforeAll } from "vitest";
import { budgets } from "../ai/remote/resilience.ts";
import { DATABASE_TIMEOUTS } from "../db/timeouts.ts";

const BUSY_MS = 60_000;

/** Lets the requests of a file's tests wait for the database as long as a busy machine needs. */
export function lengthenDatabaseTimeout(): void {
  const { firstQueryMs } = DATABASE_TIMEOUTS;
  beforeAll(() => {
    DATABASE_TIMEOUTS.firstQueryMs = BUSY_MS;
  });
  afterAll(() => {
    DATABASE_TIMEOUTS.firstQueryMs = firstQueryMs;
  });
}

/**
 * Lets calls to the providers take as long as a busy machine needs.
 * @returns a function that restores the limits
 */
export function lengthenBudgets(...purposes: (keyof typeof budgets)[]): () => void {
  const before = purposes.map((purpose) => ({ ...budgets[purpose] }));
  for (const purpose of purposes) Object.assign(budgets[purpose], { attemptMs: BUSY_MS, deadlineMs: BUSY_MS });
  return () => purposes.forEach((purpose, i) => void Object.assign(budgets[purpose], before[i]));
}
