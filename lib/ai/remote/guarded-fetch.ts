import { withTimeout } from "../../timeout.ts";
import { errorOfStatus, isProviderError, ProviderError } from "./provider-error.ts";
import type { Budget } from "./resilience.ts";

/**
 * Creates a fetch for untrusted providers. Redirects are not followed. Error statuses, HTML, and a body that is cut
 * off, too large or stalled throw a ProviderError. An abort stays an abort.
 */
export function guardedFetch({ maxBytes, idleMs }: Pick<Budget, "maxBytes" | "idleMs">): typeof fetch {
  return async (input, init) => {
    const response = await connect(input, init);
    if (!response.ok) {
      void response.body?.cancel().catch(ignoreCancelled);
      throw errorOfStatus(response.status, response.headers.get("retry-after"));
    }
    const type = response.headers.get("content-type") ?? "";
    if (/html/i.test(type) || !response.body) {
      void response.body?.cancel().catch(ignoreCancelled);
      throw new ProviderError("invalid", "The provider sent a web page instead of JSON. Check its base URL");
    }
    const guarded = response.body.pipeThrough(limitBytes(maxBytes));
    const body = type.includes("text/event-stream")
      ? failWhenIdle(guarded, idleMs)
      : await readWhole(guarded, init?.signal);
    return new Response(body, { status: response.status, headers: withoutEncoding(response.headers) });
  };
}

async function connect(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  try {
    return await fetch(input, { ...init, redirect: "manual" });
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    throw new ProviderError("network", "The provider is unreachable");
  }
}

async function readWhole(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | null | undefined,
): Promise<ArrayBuffer> {
  try {
    return await new Response(body).arrayBuffer();
  } catch (error) {
    if (signal?.aborted || isProviderError(error)) throw error;
    throw new ProviderError("network", "The provider's response was cut off");
  }
}

function limitBytes(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream({
    transform(part, controller) {
      seen += part.byteLength;
      if (seen > maxBytes)
        throw new ProviderError("invalid", `The provider's response is larger than ${maxBytes} bytes`);
      controller.enqueue(part);
    },
  });
}

/** Fails the stream when no data comes for `idleMs`, so that a stalled answer leaves no open connection. */
function failWhenIdle(body: ReadableStream<Uint8Array>, idleMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const stalled = () => new ProviderError("timeout", "The provider stopped in the middle of a response");
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await withTimeout(reader.read(), idleMs, stalled);
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        void reader.cancel().catch(ignoreCancelled);
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Removes headers that describe the encoded body; the body is decoded already. */
function withoutEncoding(headers: Headers): Headers {
  const rest = new Headers(headers);
  rest.delete("content-encoding");
  rest.delete("content-length");
  return rest;
}

/** Cancelling a failed body fails with the same error, which the caller already has. */
function ignoreCancelled(): void {}
