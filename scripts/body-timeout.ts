import type { IncomingMessage } from "node:http";

/** Bytes by which a body must grow to have made progress: whoever drips single bytes only holds the connection. */
const LEAST_PROGRESS = 1_024;
const CHECKS = 5;

/**
 * Watches the body of a request until all of it is there, however long that takes.
 * @param onStalled called once, when nothing worth waiting for arrived for `timeoutMs` while somebody was reading
 */
export function watchBody(request: IncomingMessage, timeoutMs: number, onStalled: () => void): void {
  const { socket, headers } = request;
  if (!headers["transfer-encoding"] && !Number(headers["content-length"])) return;
  let received = socket.bytesRead;
  let since = Date.now();
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    // bytes that nobody has read yet: it is not the sender who is slow
    if (request.readableLength > 0 || socket.bytesRead - received >= LEAST_PROGRESS) {
      received = socket.bytesRead;
      since = Date.now();
    } else if (Date.now() - since >= timeoutMs) {
      clearInterval(timer);
      onStalled();
    }
  }, timeoutMs / CHECKS).unref();
  request.once("close", () => clearInterval(timer));
}
