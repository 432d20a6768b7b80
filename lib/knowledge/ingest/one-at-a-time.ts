import { type BulkheadPolicy, bulkhead } from "cockatiel";

/** A lock that is given in the order in which it is asked for. */
export function createLock(): BulkheadPolicy {
  return bulkhead(1, Number.POSITIVE_INFINITY);
}

/** Yields the items under a lock, which is held until the last item was used or the consumer stops. */
export async function* oneAtATime<Item>(lock: BulkheadPolicy, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  void lock.execute(() => {
    locked.resolve();
    return done.promise;
  });
  await locked.promise;
  try {
    yield* items;
  } finally {
    done.resolve();
  }
}
