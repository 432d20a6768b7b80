import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { RUNNING_MODELS } from "../ai/models.ts";
import { createKey } from "../api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { log } from "../log.ts";
import type { RetrieveInput } from "../retrieval/schema.ts";
import { getRequest } from "../usage/log.ts";
import { answerByProvider } from "./answer-model.ts";
import { addAndIngest, document, newCompany } from "./knowledge.ts";
import { type ProviderServer, startProviderServer } from "./provider-server.ts";
import { routeServer } from "./serve-route.ts";

export const ANSWER =
  "Send the router back within 14 days [1]. We pay the postage [1, 9]. See https://norte.example/return [1].";
export const ASKED = {
  queryText: "When must I send the router back?",
  returnMode: "ai_generated_answer",
} satisfies RetrieveInput;
export const STREAM = { Accept: "text/event-stream" };

/** The parts of a stream, as sent. */
export async function partsOf(response: Response): Promise<Record<string, unknown>[]> {
  const events = (await response.text()).split("\n\n").filter((event) => event.startsWith("data: {"));
  return events.map((event) => JSON.parse(event.slice("data: ".length)));
}

/**
 * A company that knows about a router, for the tests of one file. A provider in this process writes its answers.
 * @param route the handler of the retrieval route
 */
export function streamingCompany(route: Parameters<ReturnType<typeof routeServer>>[0]) {
  const serve = routeServer();
  let scope: TenantScope;
  let token: string;
  let provider: ProviderServer;
  let answer = ANSWER;

  beforeAll(async () => {
    scope = await newCompany();
    ({ token } = await createKey(scope, CLI_ACTOR, { name: "Stream" }));
    const router = "Send the router back within 14 days. See https://norte.example/return.";
    await addAndIngest(
      scope,
      document("router.md", router, { metadata: { url: "https://norte.example/router" } }),
      document("hours.md", "The shop for the router is open on Monday."),
    );
    provider = await startProviderServer({ answer: () => answer });
    // refusals and faults are logged, as they should be
    vi.spyOn(log(), "warn").mockImplementation(() => undefined);
    vi.spyOn(log(), "error").mockImplementation(() => undefined);
  });
  // a new circuit breaker for each test
  beforeEach(() => answerByProvider(provider.url));
  afterEach(() => {
    provider.fail(null);
    provider.calls.length = 0;
    answer = ANSWER;
  });
  afterAll(async () => {
    RUNNING_MODELS.set();
    await provider.close();
  });

  async function send(body: object, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    return fetch(await serve(route), {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  }

  return {
    get scope() {
      return scope;
    },
    get provider() {
      return provider;
    },
    /** What the provider writes until the test ends. */
    answer(text: string) {
      answer = text;
    },
    send,
    async jsonOf(body: object) {
      const response = await send(body);
      return { ...(await response.json()), requestId: response.headers.get("x-request-id") };
    },
    chat: async (body: object = ASKED) => readChat(await serve(route), token, body),
    logged: (requestId: string) => getRequest(scope, SYSTEM_ACTOR, requestId).catch(() => null),
  };
}

/** Reads the stream as the AI SDK does, and returns the text after every change. */
async function readChat(api: string, token: string, body: object) {
  const headers = { ...STREAM, Authorization: `Bearer ${token}` };
  const transport = new DefaultChatTransport({
    api,
    headers,
    prepareSendMessagesRequest: () => ({ body, headers }),
  });
  const stream = await transport.sendMessages({
    trigger: "submit-message",
    chatId: "1",
    messageId: undefined,
    messages: [],
    abortSignal: undefined,
  });
  const texts: string[] = [];
  const errors: unknown[] = [];
  let message: UIMessage | undefined;
  for await (message of readUIMessageStream({ stream, onError: (error) => errors.push(error) })) {
    const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    if (texts.at(-1) !== text) texts.push(text);
  }
  return { texts, message, errors };
}
