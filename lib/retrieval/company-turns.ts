import { type BulkheadPolicy, bulkhead, isTaskCancelledError } from "cockatiel";
import type { CompanyId } from "../db/tenant.ts";

/** The searches of many companies on resources that do one thing at a time. */
export interface CompanyTurns {
  /**
   * Runs the work at once, or when one of the company's own is done.
   * @throws the reason of the signal, when it is aborted before the work begins
   */
  run<Result>(companyId: CompanyId, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

/**
 * Of each company so many run at once, and its others wait for these: the question of another company waits for so many
 * at most, however many one company asks.
 */
export function companyTurns(atOnce: number): CompanyTurns {
  const places = new Map<CompanyId, { bulkhead: BulkheadPolicy; users: number }>();
  return {
    async run(companyId, work, signal) {
      const place = places.get(companyId) ?? { bulkhead: bulkhead(atOnce, Number.POSITIVE_INFINITY), users: 0 };
      places.set(companyId, place);
      place.users++;
      try {
        return await place.bulkhead.execute(work, signal);
      } catch (error) {
        if (isTaskCancelledError(error)) signal?.throwIfAborted();
        throw error;
      } finally {
        place.users--;
        if (place.users === 0) places.delete(companyId);
      }
    },
  };
}
