import { nextTick } from "node:process";

/**
 * Sends the statements of two calls of a transaction without waiting for the answer in between, which saves a round trip
 * where the first statement has no parameters or is prepared. The first statement of the first call is sent first;
 * further statements of both calls mix. After an error the transaction is aborted, so the database refuses what follows.
 * @param first must send its first statement without waiting for anything else
 * @throws the error of the first call rather than that of the second, and only when both have ended
 */
export async function sendBoth<First, Second>(
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  const sent = Promise.try(first);
  // the driver has taken the statement when no microtask is left
  await new Promise<void>((resolve) => nextTick(resolve));
  const [before, after] = await Promise.allSettled([sent, Promise.try(second)]);
  if (before.status === "rejected") throw before.reason;
  if (after.status === "rejected") throw after.reason;
  return [before.value, after.value];
}

/** Like `sendBoth`, for any number of calls whose results nobody needs. */
export async function sendAll(calls: (() => Promise<unknown>)[]): Promise<void> {
  const [first, ...others] = calls;
  if (first) await sendBoth(first, () => sendAll(others));
}
