import { z } from "zod";
import { DAY_MS } from "../durations.ts";
import type { Failure } from "./failure.ts";

const ATTEMPTS_MAX = 5;
/** After this many attempts a job runs alone, so that no other job fails with it. */
export const ATTEMPTS_TOGETHER = 3;
/** How long a job is retried while something that it needs is unavailable. */
const UNAVAILABLE_MAX_MS = DAY_MS;
const UNAVAILABLE_WAIT_SECONDS = { min: 5, max: 300 };
/** No job waits longer for its next attempt. */
export const DEFERRED_MAX_SECONDS = UNAVAILABLE_WAIT_SECONDS.max;

/** `awaySince` is the name in jobs of earlier releases. */
const payloadOf = z.looseObject({ unavailableSince: z.number().nullish(), awaySince: z.number().nullish() });

/** Entries of a payload that end the outage that it records. */
export const NO_OUTAGE = { unavailableSince: undefined, awaySince: undefined };

export function recordsOutage(payload: Record<string, unknown>): boolean {
  const { unavailableSince, awaySince } = payloadOf.parse(payload);
  return (unavailableSince ?? awaySince ?? null) !== null;
}

interface Tried {
  attempts: number;
  payload: Record<string, unknown>;
}

export interface NextTry extends Tried {
  /** Seconds until the next attempt; null if there is none. */
  inSeconds: number | null;
}

/**
 * Decides when a failed job is tried again. After an unknown error: in 2, 4, 8… seconds, up to five attempts. While
 * something is unavailable: after as long as it has been unavailable so far, at most five minutes, for a day.
 * @param options.shared whether the failure affected every job of a claim, so that none of them is to blame
 */
export function nextTry(
  { attempts, payload }: Tried,
  { cause }: Pick<Failure, "cause">,
  { shared = false, now = Date.now(), random = Math.random() } = {},
): NextTry {
  const { unavailableSince, awaySince, ...rest } = payloadOf.parse(payload);
  if (cause !== "unavailable") {
    const final = cause === "final" || attempts >= ATTEMPTS_MAX;
    return { attempts, payload: rest, inSeconds: final ? null : 2 ** attempts };
  }
  const since = unavailableSince ?? awaySince ?? now;
  const { min, max } = UNAVAILABLE_WAIT_SECONDS;
  const wait = Math.min(max, Math.max(min, (now - since) / 1_000));
  return {
    // a job that is the cause is soon retried alone
    attempts: shared ? Math.max(0, attempts - 1) : Math.min(attempts, ATTEMPTS_TOGETHER),
    payload: { ...rest, unavailableSince: since },
    // jobs that failed together are not all retried together
    inSeconds: now - since >= UNAVAILABLE_MAX_MS ? null : wait * (0.5 + random / 2),
  };
}
