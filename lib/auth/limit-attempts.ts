import { ADDRESS_HEADER } from "../http/client-address.ts";
import { consumeRateLimit } from "../rate-limit.ts";

/** Per kind of attempt and address. Enough for an office, too few to guess passwords. */
const ATTEMPTS_PER_MINUTE = 60;

/**
 * Counts an attempt by someone who is not signed in.
 * @param kind such as `sign-in`
 * @throws {AppError} TooManyRequests
 */
export async function limitAttempts(kind: string, headers: Headers): Promise<void> {
  await consumeRateLimit({
    id: `${kind} ${headers.get(ADDRESS_HEADER) ?? "unknown"}`,
    perMinute: ATTEMPTS_PER_MINUTE,
    message: (seconds) => `Too many attempts from your network. Retry in ${seconds} seconds.`,
  });
}
