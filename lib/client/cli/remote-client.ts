import { Ragstone } from "../client.ts";

/** A command can wait for a rate limit. */
const TIMEOUT_MS = 10 * 60_000;
const MAX_RETRIES = 10;

/** The client of the command line, from RAGSTONE_URL and RAGSTONE_API_KEY. @throws {RagstoneError} if one is missing */
export function remoteClient(): Ragstone {
  return new Ragstone({ timeoutMs: TIMEOUT_MS, maxRetries: MAX_RETRIES });
}
