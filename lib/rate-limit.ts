import cluster from "node:cluster";
import { RateLimiterCluster, RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { counted } from "./counted.ts";
import { env } from "./env.ts";
import { AppError } from "./errors.ts";
import { singleton } from "./singleton.ts";

type Limiter = RateLimiterMemory | RateLimiterCluster;

/** One limiter per limit. */
const LIMITERS = singleton("rateLimiters", () => new Map<number, Limiter>());
/** Normally the process that counts answers in a millisecond. */
const COUNTING_TIMEOUT_MS = 5_000;

interface RateLimitOptions {
  /** The counted id: of a key, or of a member in the playground. */
  id: string;
  /** 0 means no limit. */
  perMinute: number;
  /** How many requests it counts as. */
  points?: number;
  /** The message of the error, for the seconds until a retry. */
  message?: (seconds: number) => string;
}

/**
 * Counts a request. The processes of a server count together, and each of several servers allows its share of the limit.
 * @param headers gets `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds)
 * @throws {AppError} TooManyRequests with `Retry-After` in whole seconds
 */
export async function consumeRateLimit(
  { id, perMinute, points = 1, message = limitMessage(perMinute) }: RateLimitOptions,
  headers?: Headers,
): Promise<void> {
  if (perMinute === 0) return;
  const outcome = await limiter(perMinute)
    .consume(id, points)
    .catch((refused: unknown) => {
      if (isOutcome(refused)) return refused;
      throw refused;
    });
  if (headers) setHeaders(headers, perMinute, outcome);
  if (outcome.consumedPoints <= shareOf(perMinute)) return;
  // a refused request counts once, whatever its points are
  if (points > 1) await limiter(perMinute).reward(id, points - 1);
  const seconds = secondsLeft(outcome);
  throw new AppError("TooManyRequests", message(seconds), {
    headers: { ...(points > 1 && headers && Object.fromEntries(headers)), "Retry-After": String(seconds) },
  });
}

/** By its fields, because a limiter may have been made by another copy of the module, with another class. */
function isOutcome(reason: unknown): reason is RateLimiterRes {
  return typeof reason === "object" && reason !== null && "msBeforeNext" in reason;
}

function limitMessage(perMinute: number): (seconds: number) => string {
  return (seconds) =>
    `Rate limit of ${counted(perMinute, "request")} per minute reached. Retry in ${counted(seconds, "second")}.`;
}

/** Sets the same headers without counting, for a request that is refused earlier. */
export async function showRateLimit({ id, perMinute }: RateLimitOptions, headers: Headers): Promise<void> {
  if (perMinute === 0) return;
  setHeaders(headers, perMinute, await limiter(perMinute).get(id));
}

function limiter(perMinute: number): Limiter {
  const known = LIMITERS.get().get(perMinute);
  if (known) return known;
  const options = { points: shareOf(perMinute), duration: 60 };
  const made = cluster.isWorker
    ? new RateLimiterCluster({ ...options, keyPrefix: `${perMinute}`, timeoutMs: COUNTING_TIMEOUT_MS })
    : new RateLimiterMemory(options);
  LIMITERS.get().set(perMinute, made);
  return made;
}

/** How many requests of a limit this server allows. */
export function shareOf(perMinute: number): number {
  return Math.ceil(perMinute / env().servers);
}

function setHeaders(headers: Headers, perMinute: number, outcome: RateLimiterRes | null): void {
  headers.set("RateLimit-Limit", String(shareOf(perMinute)));
  headers.set("RateLimit-Remaining", String(outcome?.remainingPoints ?? shareOf(perMinute)));
  headers.set("RateLimit-Reset", String(outcome ? secondsLeft(outcome) : 60));
}

function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
