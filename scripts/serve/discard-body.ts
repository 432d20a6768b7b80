import type { IncomingMessage, ServerResponse } from "node:http";

/** How long a body is read after its response. Without an end, a client could send forever. */
const DISCARD_MAX_MS = 120_000;

/**
 * Reads and discards what is left of a request's body once the response is sent. Otherwise it would stand before the
 * connection's next request, and a client that sends the whole body before it reads would never see the response.
 */
export function discardUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  // by default, an iterator that stops early destroys the request, and nobody could read the rest
  Object.assign(request, { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) });
  // before Node's own listener, which closes the connection of a last response
  response.prependOnceListener("finish", () => {
    if (request.complete || request.destroyed) return;
    keepOpenUntilRead(request);
    // a reader that stopped early may still be attached
    request.removeAllListeners("readable");
    request.removeAllListeners("data");
    // a stream notes only in the next tick that its readers are gone
    setImmediate(() => request.resume());
  });
}

/** The kernel resets a connection that is closed with unread bytes, and the client loses the response. */
function keepOpenUntilRead(request: IncomingMessage): void {
  const { socket } = request;
  const late = setTimeout(() => socket.destroy(), DISCARD_MAX_MS).unref();
  socket.destroySoon = () => void socket.end();
  request.once("close", () => {
    clearTimeout(late);
    // later requests of the connection close it as usual
    Reflect.deleteProperty(socket, "destroySoon");
    if (socket.writableEnded) socket.destroySoon();
  });
}
