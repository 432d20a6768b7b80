import { type BulkheadPolicy, bulkhead, isTaskCancelledError } from "cockatiel";
import type { CompanyId } from "../db/tenant.ts";

/** Limits how many searches each company runs at once. */
export interface CompanyTurns {
  /**
   * Runs the work now or, if the company has reached the limit, after its earlier work.
   * @throws the reason of the signal if it is aborted before the work starts
   */
  run<Result>(companyId: CompanyId, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

/**
 * Lets each company run `atOnce` searches at a time; its other searches wait. However many questions one company asks,
 * other companies wait for at most `atOnce` of them.
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
