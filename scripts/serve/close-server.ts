import type { Server } from "node:http";
import { setTimeout as delay, setImmediate as untilPolled } from "node:timers/promises";

/** How long a request may be under way to a server that stops. */
const DRAIN_MS = 500;
const SHORT_TURN_MS = 0.5;
const ACCEPTING_MAX_MS = 2_000;

/**
 * Goes on answering for a moment, stops listening, and waits for the requests in flight, for at most `graceMs`.
 * @param closeUnused called a moment after the server has stopped listening
 */
export async function closeServer(server: Server, graceMs: number, closeUnused: () => void): Promise<void> {
  const drainMs = Math.min(DRAIN_MS, graceMs);
  await delay(drainMs);
  // if `close` had to close thousands, new connections would arrive in the meantime and be reset
  server.closeIdleConnections();
  await untilAllAccepted(server, Math.min(ACCEPTING_MAX_MS, graceMs));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timers = [setTimeout(closeUnused, drainMs), setTimeout(() => server.closeAllConnections(), graceMs)];
  await closed;
  for (const timer of timers) clearTimeout(timer);
}

/**
 * Waits for a short turn of the event loop in which no connection was accepted: closing the server resets those that
 * are waiting. Node accepts one in a turn.
 */
async function untilAllAccepted(server: Server, mostMs: number): Promise<void> {
  let accepted = 0;
  const count = () => accepted++;
  server.on("connection", count);
  const deadline = performance.now() + mostMs;
  for (let ended = false; !ended; ) {
    const [before, started] = [accepted, performance.now()];
    await untilPolled();
    const isShort = performance.now() - started < SHORT_TURN_MS;
    ended = (isShort && accepted === before) || performance.now() > deadline;
  }
  server.off("connection", count);
}
