import { z } from "zod";
import { DAY_MS } from "../durations.ts";
import type { Failure } from "../worker/failure.ts";

const ATTEMPTS_MAX = 5;
/** What was tried that often is tried alone, so that no other job fails with it. */
export const ATTEMPTS_TOGETHER = 3;
/** Until then an outage may last; whoever waits learns why. */
const AWAY_MAX_MS = DAY_MS;
const AWAY_WAIT_SECONDS = { min: 5, max: 300 };
/** No job waits longer for its next try. */
export const DEFERRED_MAX_SECONDS = AWAY_WAIT_SECONDS.max;

const payloadOf = z.object({ awaySince: z.number().nullish() });

interface Tried {
  attempts: number;
  payload: Record<string, unknown>;
}

export interface NextTry extends Tried {
  /** Null: there is none. */
  inSeconds: number | null;
}

/**
 * When a job that failed is tried again. An error of its own: after 2, 4, 8… seconds, until the attempts are used up.
 * What is away is waited for, as long again as it has been away, up to five minutes and for a day.
 * @param shared the failure met all jobs of a claim, so that none of them can be blamed for an outage
 */
export function nextTry(
  { attempts, payload }: Tried,
  { cause }: Pick<Failure, "cause">,
  { shared = false, now = Date.now(), random = Math.random() } = {},
): NextTry {
  if (cause !== "away") {
    const over = cause === "final" || attempts >= ATTEMPTS_MAX;
    return { attempts, payload: { ...payload, awaySince: null }, inSeconds: over ? null : 2 ** attempts };
  }
  const awaySince = payloadOf.parse(payload).awaySince ?? now;
  const wait = Math.min(AWAY_WAIT_SECONDS.max, Math.max(AWAY_WAIT_SECONDS.min, (now - awaySince) / 1_000));
  return {
    // one that provokes the failure itself is set apart from the others
    attempts: shared ? Math.max(0, attempts - 1) : Math.min(attempts, ATTEMPTS_TOGETHER),
    payload: { ...payload, awaySince },
    // what went together does not come back together
    inSeconds: now - awaySince >= AWAY_MAX_MS ? null : wait * (0.5 + random / 2),
  };
}
