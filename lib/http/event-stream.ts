/** Shorter than the time after which proxies close a silent connection. */
const PING_MS = 15_000;

/** The headers of an event stream, which tell proxies to pass on every part immediately. */
export const EVENT_STREAM_HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

/**
 * Whether the caller asks for an event stream: `Accept` names `text/event-stream`, and not `application/json` before it.
 * A wildcard does not request a stream.
 */
export function acceptsEventStream({ headers }: Pick<Request, "headers">): boolean {
  const types = (headers.get("accept") ?? "").toLowerCase().split(",");
  const known = types.map((type) => type.split(";")[0]?.trim());
  return known.find((type) => type === "text/event-stream" || type === "application/json") === "text/event-stream";
}

/** Waits for the first part, so that an error before it becomes an error response and not a broken stream. */
export async function waitForFirstPart<Part, End>(
  parts: AsyncGenerator<Part, End>,
): Promise<AsyncGenerator<Part, End>> {
  const first = await parts.next();
  return (async function* () {
    if (first.done) return first.value;
    yield first.value;
    return yield* parts;
  })();
}

/**
 * Sends parts as server-sent events of JSON, and `[DONE]` at the end, even after an error. The parts are produced at
 * their own speed: a slow reader delays neither a model nor the log, and costs the memory of the response.
 * @param onError makes the last part of a stream that fails
 */
export function eventStream(
  parts: AsyncIterable<unknown>,
  onError: (error: unknown) => unknown,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let isOpen = true;
  return new ReadableStream({
    async start(controller) {
      const send = (event: string) => {
        if (isOpen) controller.enqueue(encoder.encode(`${event}\n\n`));
      };
      const ping = setInterval(() => send(":"), PING_MS);
      try {
        for await (const part of parts) send(`data: ${JSON.stringify(part)}`);
      } catch (error) {
        send(`data: ${JSON.stringify(onError(error))}`);
      } finally {
        clearInterval(ping);
      }
      send("data: [DONE]");
      if (isOpen) controller.close();
    },
    cancel() {
      // the parts end by the signal of the request
      isOpen = false;
    },
  });
}
