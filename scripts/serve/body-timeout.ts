import type { IncomingMessage } from "node:http";

/** Bytes that count as progress: a client that sends single bytes must not hold the connection. */
const MIN_PROGRESS_BYTES = 1_024;
const CHECKS = 5;

/**
 * Watches the body of a request until it is complete, however long that takes.
 * @param onStalled called once, when the body made no progress for `timeoutMs` although it was being read
 */
export function watchBody(request: IncomingMessage, timeoutMs: number, onStalled: () => void): void {
  const { socket, headers } = request;
  if (!headers["transfer-encoding"] && !Number(headers["content-length"])) return;
  let received = socket.bytesRead;
  let since = Date.now();
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    // unread bytes: the reader is slow, not the sender
    if (request.readableLength > 0 || socket.bytesRead - received >= MIN_PROGRESS_BYTES) {
      received = socket.bytesRead;
      since = Date.now();
    } else if (Date.now() - since >= timeoutMs) {
      clearInterval(timer);
      onStalled();
    }
  }, timeoutMs / CHECKS).unref();
  request.once("close", () => clearInterval(timer));
}
