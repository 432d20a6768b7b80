import { ADDRESS_HEADER } from "../http/client-address.ts";
import { consumeRateLimit } from "../rate-limit.ts";

/** For each way in, from one address, in one process: far more than an office, far less than a guesser needs. */
const ATTEMPTS_PER_MINUTE = 60;

/**
 * Counts a try of someone who is not signed in.
 * @param way the way in, such as `sign-in`
 * @throws {AppError} TooManyRequests
 */
export async function limitAttempts(way: string, headers: Headers): Promise<void> {
  await consumeRateLimit({
    id: `${way} ${headers.get(ADDRESS_HEADER) ?? "unknown"}`,
    perMinute: ATTEMPTS_PER_MINUTE,
    refusal: (seconds) => `Too many attempts from your network. Retry in ${seconds} seconds.`,
  });
}
