/** The slowest upload that is not given up: half a megabit a second. */
const UPLOAD_BYTES_PER_MS = 62.5;

/**
 * Fetches, and gives up when the other side is silent for `idleMs`: before its response, or between two parts of it. A
 * body that is sent extends the first wait by the time that a slow line takes. A slow reader of the response may take
 * any time.
 */
export async function fetchWithin(idleMs: number, input: Parameters<typeof fetch>[0], init?: RequestInit) {
  const controller = new AbortController();
  const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
    const late = () => controller.abort(new DOMException(`No answer within ${ms} ms`, "TimeoutError"));
    const timer = setTimeout(late, ms);
    return work.finally(() => clearTimeout(timer));
  };
  const sending = bytesOf(init?.body) / UPLOAD_BYTES_PER_MS;
  const response = await within(idleMs + sending, fetch(input, { ...init, signal: controller.signal }));
  const parts = response.body?.getReader();
  if (!parts) return response;
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      const { done, value } = await within(idleMs, parts.read());
      if (done) stream.close();
      else stream.enqueue(value);
    },
    cancel: (reason) => parts.cancel(reason),
  });
  return new Response(body, response);
}

/** The bytes of the bodies that the client of the storage sends: binary data, even as a part of a form. */
function bytesOf(body: BodyInit | null | undefined): number {
  if (body instanceof Blob) return body.size;
  if (body instanceof FormData) return body.values().reduce((sum, part) => sum + bytesOf(part), 0);
  return ArrayBuffer.isView(body) || body instanceof ArrayBuffer ? body.byteLength : 0;
}
