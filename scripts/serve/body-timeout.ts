import type { IncomingMessage } from "node:http";

/** Bytes that count as progress: a client that sends single bytes must not hold the connection. */
const MIN_PROGRESS_BYTES = 1_024;
/** A body is stalled when all checks but one find no progress, so that the time-out is never exceeded. */
const CHECKS = 10;

/**
 * Watches the body of a request until it is complete, however long that takes.
 * @param onStalled called once, when the body has made almost no progress for nearly `timeoutMs` although it was being read
 */
export function watchBody(request: IncomingMessage, timeoutMs: number, onStalled: () => void): void {
  const { socket, headers } = request;
  if (!headers["transfer-encoding"] && !Number(headers["content-length"])) return;
  let received = socket.bytesRead;
  let idle = 0;
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    // unread bytes: the reader is slow, not the sender
    if (request.readableLength > 0 || socket.bytesRead - received >= MIN_PROGRESS_BYTES) {
      received = socket.bytesRead;
      idle = 0;
    } else if (++idle === CHECKS - 1) {
      clearInterval(timer);
      onStalled();
    }
  }, timeoutMs / CHECKS).unref();
  request.once("close", () => clearInterval(timer));
}
