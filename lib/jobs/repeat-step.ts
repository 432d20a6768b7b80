import type { Transaction } from "../db/client.ts";
import type { TenantScope } from "../db/tenant.ts";
import type { Turn } from "./turn.ts";

/**
 * Repeats a small transaction until nothing is left to do. Runs it at least once, so that every turn does something.
 * @param step returns whether there may be more to do
 * @returns false when the turn ended first
 */
export async function repeatStep(
  scope: TenantScope,
  turn: Turn,
  step: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  for (;;) {
    turn.signal.throwIfAborted();
    if (!(await scope.transaction(step))) return true;
    if (turn.hasEnded()) return false;
  }
}
