import { setTimeout as sleep } from "node:timers/promises";
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IBreaker,
  SamplingBreaker,
} from "cockatiel";
import { isProviderError, ProviderError, type ProviderFailure } from "./provider-error.ts";

/** Times in milliseconds, sizes in bytes. */
export interface Budget {
  attemptMs: number;
  /** For all attempts and the waits between them. */
  deadlineMs: number;
  retries: number;
  /** The first wait is random between 0 and this value, which doubles with every further retry. */
  jitterMs: number;
  /** Longest wait before a retry; a provider that asks for more gets none. */
  waitMaxMs: number;
  /** False when a person waits: a second attempt would double the wait. */
  retryTimeouts: boolean;
  /** Longest pause within a streamed answer, which may take longer than an attempt once it has begun. */
  idleMs: number;
  /** Pause of all calls after the circuit breaker opened, until one call probes the provider. */
  probeAfterMs: number;
  /** Size of a response after decompression. */
  maxBytes: number;
  /** Once this many calls wait and the provider has answered none for a while, no more are made. */
  unansweredMax: number;
}

/** At 50 questions a second, at most 20 calls are made before the circuit breaker opens. */
const UNANSWERED_MAX = 15;

export const budgets = {
  query: {
    attemptMs: 800,
    deadlineMs: 1_000,
    retries: 1,
    jitterMs: 120,
    waitMaxMs: 1_000,
    retryTimeouts: false,
    idleMs: 800,
    probeAfterMs: 1_500,
    maxBytes: 4_000_000,
    unansweredMax: UNANSWERED_MAX,
  },
  ingest: {
    attemptMs: 30_000,
    deadlineMs: 100_000,
    retries: 3,
    jitterMs: 1_000,
    waitMaxMs: 100_000,
    retryTimeouts: true,
    idleMs: 30_000,
    probeAfterMs: 5_000,
    maxBytes: 64_000_000,
    unansweredMax: Number.POSITIVE_INFINITY,
  },
  answer: {
    attemptMs: 12_000,
    deadlineMs: 12_000,
    retries: 1,
    jitterMs: 500,
    waitMaxMs: 500,
    retryTimeouts: false,
    idleMs: 10_000,
    probeAfterMs: 1_500,
    maxBytes: 4_000_000,
    unansweredMax: Number.POSITIVE_INFINITY,
  },
  rerank: {
    attemptMs: 800,
    deadlineMs: 800,
    retries: 0,
    jitterMs: 0,
    waitMaxMs: 0,
    retryTimeouts: false,
    idleMs: 800,
    probeAfterMs: 1_500,
    maxBytes: 4_000_000,
    unansweredMax: UNANSWERED_MAX,
  },
} satisfies Record<string, Budget>;

/** The breaker opens after this many failures in a row, or when half of at least ten calls in ten seconds fail. */
const CONSECUTIVE_FAILURES = 5;
const SAMPLING = { threshold: 0.5, duration: 10_000, minimumRps: 1 };

/**
 * The breaker learns that a provider hangs only when attempts time out. It counts as silent after this share of their
 * time, and this multiple of the time that it took for its last answer.
 */
const SILENT = { share: 0.4, times: 1.5 };

const retriedFailures: ReadonlySet<ProviderFailure> = new Set(["network", "busy", "fault"]);

/** Calls to one provider for one purpose. Reuse the object: it keeps the state of the circuit breaker. */
export interface Resilience {
  readonly open: boolean;
  /**
   * Runs `attempt` with time-outs, bounded retries and the circuit breaker. The signal aborts when the attempt's time
   * is used up.
   * @param endOf for a result that is still arriving: settles when it is complete. A ProviderError counts as a failure.
   * @throws ProviderError, or the reason of `signal` when the caller gave up
   */
  run<T>(
    attempt: (signal: AbortSignal) => PromiseLike<T>,
    signal?: AbortSignal,
    endOf?: (result: T) => Promise<void>,
  ): Promise<T>;
}

export function createResilience(budget: Budget): Resilience {
  const breaker = circuitBreaker(
    // only a successful probe closes the breaker, so an aborted probe counts as a failure
    handleWhen((error) => isProviderFault(error) || breaker.state === CircuitState.HalfOpen),
    { halfOpenAfter: budget.probeAfterMs, breaker: eitherBreaker() },
  );
  let lastFault = "The provider failed";
  let waiting = 0;
  let silentSince = 0;
  let lastAnswerMs = 0;

  function hangs(): boolean {
    const silentMs = Math.max(SILENT.share * budget.attemptMs, SILENT.times * lastAnswerMs);
    return waiting >= budget.unansweredMax && performance.now() - silentSince > silentMs;
  }

  async function untilAnswered<T>(answer: PromiseLike<T>, signal: AbortSignal): Promise<T> {
    const begun = performance.now();
    if (waiting++ === 0) silentSince = begun;
    try {
      const value = await answer;
      lastAnswerMs = performance.now() - begun;
      return value;
    } finally {
      waiting--;
      // an error is an answer too
      if (!signal.aborted) silentSince = performance.now();
    }
  }

  // the error names the failure that opened the breaker
  function circuitOpen(): ProviderError {
    const message = `${lastFault}; calls are paused after too many failures`;
    return new ProviderError("open", message, { retryAfterMs: budget.probeAfterMs });
  }

  async function attemptOnce<T>(
    attempt: (signal: AbortSignal) => PromiseLike<T>,
    remainingMs: number,
    caller?: AbortSignal,
    endOf?: (result: T) => Promise<void>,
  ): Promise<T> {
    // cockatiel would make everyone wait for the probe; failing lets the request degrade immediately
    if (breaker.state === CircuitState.HalfOpen) throw circuitOpen();
    if (hangs()) throw new ProviderError("open", "The provider answers no calls, so no more are made for the moment");
    const timeout = AbortSignal.timeout(Math.ceil(Math.max(1, Math.min(budget.attemptMs, remainingMs))));
    const signal = caller ? AbortSignal.any([caller, timeout]) : timeout;
    const begin = async () => {
      try {
        return await untilAnswered(attempt(signal), signal);
      } catch (error) {
        caller?.throwIfAborted();
        const failure = asProviderError(timeout.aborted ? timeout.reason : error);
        if (isProviderFault(failure)) lastFault = failure.message;
        throw failure;
      }
    };
    if (!endOf) return breaker.execute(begin);
    const begun = Promise.withResolvers<T>();
    const ended = breaker.execute(async () => {
      const result = await begin();
      begun.resolve(result);
      await endOf(result).catch((error: unknown) => {
        if (isProviderFault(error)) lastFault = error.message;
        throw error;
      });
    });
    // once the result has begun, its reader gets the error
    ended.catch(begun.reject);
    return begun.promise;
  }

  return {
    get open() {
      return breaker.state !== CircuitState.Closed;
    },
    async run(attempt, signal, endOf) {
      const deadline = performance.now() + budget.deadlineMs;
      for (let retry = 0; ; retry++) {
        signal?.throwIfAborted();
        try {
          return await attemptOnce(attempt, deadline - performance.now(), signal, endOf);
        } catch (error) {
          if (error instanceof BrokenCircuitError) throw circuitOpen();
          const waitMs = retryDelayMs(error, retry, budget);
          if (waitMs === null || waitMs > budget.waitMaxMs || performance.now() + waitMs >= deadline) throw error;
          // an abort ends the wait; the next turn throws the caller's reason
          await sleep(waitMs, undefined, { signal }).catch(() => undefined);
        }
      }
    },
  };
}

/**
 * How long to wait before the next attempt, or null when there is none. Full jitter, so that clients that failed
 * together do not retry together (M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
 */
function retryDelayMs(error: unknown, retry: number, budget: Budget): number | null {
  if (!isProviderError(error) || retry >= budget.retries) return null;
  if (!retriedFailures.has(error.failure) && !(error.failure === "timeout" && budget.retryTimeouts)) return null;
  return (error.retryAfterMs ?? 0) + Math.random() * budget.jitterMs * 2 ** retry;
}

/** A rejected input or a caller that left says nothing about the provider's health. */
function isProviderFault(error: unknown): error is ProviderError {
  return isProviderError(error) && error.failure !== "rejected";
}

/** The guarded fetch throws ProviderErrors; any other error of the SDK means that it could not parse the response. */
export function asProviderError(error: unknown): ProviderError {
  if (isProviderError(error)) return error;
  if (!(error instanceof Error)) return new ProviderError("invalid", "The provider's response could not be parsed");
  if (isProviderError(error.cause)) return error.cause;
  if (error.name === "TimeoutError") return new ProviderError("timeout", "The provider timed out");
  return new ProviderError("invalid", `The provider's response could not be parsed (${error.name})`);
}

/** Opens by failures in a row when there are few calls, and by their share when there are many. */
function eitherBreaker(): IBreaker {
  const breakers: IBreaker[] = [new ConsecutiveBreaker(CONSECUTIVE_FAILURES), new SamplingBreaker(SAMPLING)];
  return {
    get state() {
      return breakers.map((breaker) => breaker.state);
    },
    success: (state) => {
      for (const breaker of breakers) breaker.success(state);
    },
    failure: (state) => breakers.map((breaker) => breaker.failure(state)).some(Boolean),
  };
}
