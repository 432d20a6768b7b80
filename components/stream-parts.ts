import { COMPANY_HEADER } from "@/lib/auth/page-company.ts";
import type { ActionResult } from "@/lib/auth/result.ts";

type Failure = Extract<ActionResult<never>, { ok: false }>;

interface StreamOptions {
  companyId: string | undefined;
  signal: AbortSignal;
}

/**
 * Posts to a route that streams, and yields its parts as they arrive. The parts are of the type that the route sends.
 * @throws when the connection fails or the signal aborts
 */
export async function* streamParts<Part>(
  address: string,
  input: unknown,
  { companyId, signal }: StreamOptions,
): AsyncGenerator<Part | ({ type: "failed" } & Failure)> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", [COMPANY_HEADER]: companyId ?? "" },
    body: JSON.stringify(input),
    signal,
  });
  if (!response.ok || !response.body) {
    const failure: Failure = await response.json();
    yield { ...failure, type: "failed" };
    return;
  }
  for await (const event of eventsOf(response.body)) {
    if (event !== "[DONE]") yield JSON.parse(event);
  }
}

/** The data of server-sent events, one line each. */
async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) if (event.startsWith("data: ")) yield event.slice("data: ".length);
  }
}
