import { setTimeout } from "node:timers/promises";
import { isEmbedderLocal } from "../ai/models.ts";
import { counted } from "../counted.ts";
import type { CompanyId } from "../db/tenant.ts";
import { AppError } from "../errors.ts";
import { singleton } from "../singleton.ts";
import { companyQueue } from "./company-queue.ts";

/** Four searches together keep the model and the database busy, even while many requests are refused. */
const QUEUE_OPTIONS = { atOnce: 4, atOnceBesideOthers: 1, yieldMaxMs: 1_000, pauseMaxMs: 50 };

/** How long a new question may have to wait. A longer queue only delays each answer until its caller has left. */
const WAIT_MAX_MS = 5_000;
/** A longer queue is allowed until its first question has waited this long, so that short bursts are answered. */
const BURST_MS = 3_000;
const RETRY_MAX_SECONDS = 30;

/** How long after the last search other work still pauses. */
const RECENT_SEARCH_MS = 1_000;
/**
 * Limits an upload to 3 MB a second (64 kB per pause). Every 64 MB received, the garbage collector stops the process for
 * 20 ms, which should delay few searches.
 */
const PAUSE_MS = 20;
/** Maximum time that other work waits for running searches. */
const YIELD_MAX_MS = 20;

const SEARCH_QUEUE = singleton("searchQueue", () => companyQueue(QUEUE_OPTIONS));

/**
 * Runs a company's search in its turn, because all companies share the local model's thread and the embedded database's
 * session.
 */
export async function inSearchQueue<Result>(
  companyId: CompanyId,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  // with a remote model, searches mostly wait for that model
  if (!isEmbedderLocal()) return work();
  return SEARCH_QUEUE.get().run(companyId, work, signal);
}

/** The error of a question that would wait for too many others of its company; null while the queue is short. */
export function queueRefusal(companyId: CompanyId): AppError | null {
  const { waitedMs, expectedMs } = SEARCH_QUEUE.get().queueOf(companyId);
  if (waitedMs <= BURST_MS || expectedMs <= WAIT_MAX_MS) return null;
  const seconds = Math.min(Math.ceil((expectedMs - WAIT_MAX_MS) / 1_000), RETRY_MAX_SECONDS);
  const message = `Too many questions of this company are waiting. Retry in ${counted(seconds, "second")}.`;
  return new AppError("TooManyRequests", message, { headers: { "Retry-After": String(seconds) } });
}

/**
 * Delays work that should not slow down searches, such as the next part of an upload: while a search runs, and a little
 * after each part as long as companies ask questions. Without questions there is no delay.
 */
export async function yieldToSearches(): Promise<void> {
  if (!SEARCH_QUEUE.get().ranWithin(RECENT_SEARCH_MS)) return;
  await setTimeout(PAUSE_MS);
  await SEARCH_QUEUE.get().untilQuiet(YIELD_MAX_MS);
}
