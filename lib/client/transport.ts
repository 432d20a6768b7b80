import { ConnectionError, errorOf, RagstoneError, TimeoutError } from "./errors.ts";
import { type Answered, type ResponsePromise, responsePromise } from "./response-promise.ts";
import { isRetryable, retryPauseMs } from "./retry.ts";
import type { Settings } from "./settings.ts";
import { VERSION } from "./version.ts";

export interface RequestOptions {
  /** Aborts the request and its retries. */
  signal?: AbortSignal | undefined;
  /** For the request with its retries, instead of the client's. */
  timeoutMs?: number | undefined;
}

/** What may be sent as a file. Streams are not allowed, because a retry could not send them again. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string;

/** A request, without what all requests have. */
export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/v1/api`. */
  path: string;
  /** An array repeats its name. Undefined is left out. */
  query?: object;
  /** Sent as JSON. */
  json?: object;
  /** The file, or a form that holds it. */
  file?: FileBody;
  headers?: Record<string, string>;
  /** False if sending the request twice is not the same as sending it once. */
  isRepeatable?: false;
}

type Reader<Data> = (response: Response) => Promise<Data> | Data;

export interface Transport {
  /** How long a stream may send nothing. */
  timeoutMs: number;
  /** @throws {RagstoneError}; the signal's reason when the caller aborts */
  send<Data>(call: Call, read: Reader<Data>, options?: RequestOptions): ResponsePromise<Data>;
}

/** A longer timer ends immediately. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

/** Sends requests, with retries within the timeout. */
export function createTransport({ apiKey, baseUrl, timeoutMs, maxRetries, fetch }: Settings): Transport {
  async function attempt<Data>(call: Call, read: Reader<Data>, ms: number, signal?: AbortSignal) {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), Math.min(ms, TIMER_MS_MAX));
    try {
      const response = await fetch(`${baseUrl}/api${call.path}${queryString(call.query)}`, {
        method: call.method,
        body: call.json ? JSON.stringify(call.json) : (call.file ?? null),
        headers: headersOf(call, apiKey),
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      });
      if (!response.ok) throw await errorOf(response);
      const { status, headers } = response;
      return { data: await read(response), response: { status, headers, requestId: headers.get("x-request-id") } };
    } catch (error) {
      signal?.throwIfAborted();
      if (timeout.signal.aborted)
        throw new TimeoutError("The server did not respond in time. Retry, or set a longer timeoutMs.");
      throw error instanceof RagstoneError ? error : unreachable(baseUrl, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async function sendWithRetries<Data>(
    call: Call,
    read: Reader<Data>,
    options: RequestOptions,
  ): Promise<Answered<Data>> {
    options.signal?.throwIfAborted();
    const until = performance.now() + (options.timeoutMs ?? timeoutMs);
    for (let retries = 0; ; retries++) {
      try {
        return await attempt(call, read, until - performance.now(), options.signal);
      } catch (error) {
        if (!(error instanceof RagstoneError) || retries === maxRetries) throw error;
        if (!isRetryable(error, call.isRepeatable ?? true)) throw error;
        const pause = retryPauseMs(error, retries);
        if (performance.now() + pause >= until) throw error;
        await wait(pause, options.signal);
      }
    }
  }

  return {
    timeoutMs,
    send: (call, read, options = {}) => responsePromise(sendWithRetries(call, read, options)),
  };
}

/** Reads a JSON body. @throws {RagstoneError} when something else answers at the URL */
export async function readJson<Data>(response: Response): Promise<Data> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new RagstoneError("The response is not JSON. Check that baseUrl is the URL of a Ragstone server.");
  }
}

/** Waits, and rejects with the signal's reason when the caller aborts. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function headersOf({ json, headers }: Call, apiKey: string): Record<string, string> {
  return {
    Accept: "application/json",
    Authorization: `Bearer ${apiKey}`,
    "User-Agent": `ragstone-client/${VERSION}`,
    ...(json && { "Content-Type": "application/json" }),
    ...headers,
  };
}

/** The query string with its question mark; empty without parameters. */
export function queryString(query: object = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined || one === null ? [] : [[name, String(one)]])),
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
}

function unreachable(baseUrl: string, error: unknown): ConnectionError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = reasonOf(cause) || "no reason given";
  return new ConnectionError(`The connection to ${new URL(baseUrl).origin} failed: ${reason}`, { cause: error });
}

function reasonOf(cause: unknown): string {
  // a host with several addresses fails with an error for each, and their common error has no message
  if (cause instanceof AggregateError && !cause.message && cause.errors.length > 0)
    return reasonOf(cause.errors.at(-1));
  return cause instanceof Error ? cause.message : String(cause);
}
