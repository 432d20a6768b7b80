import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server as HttpServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { DefaultChatTransport, readUIMessageStream } from "ai";
import { build } from "esbuild";
import { freePort } from "../lib/testing/free-port.ts";
import { type ProviderServer, startProviderServer } from "../lib/testing/provider-server.ts";
import { expect, fillSignIn, NOBODY, test } from "./people.ts";
import { root, type Server, startServer } from "./server.ts";

const QUESTION = "How do I cancel my broadband contract?";
const FIRST = "Cancel it in writing [1].";
const ANSWER = `${FIRST} The notice is 30 days [1, 99]. Send the router back within 14 days [1].`;
const CHECKED = ANSWER.replace("[1, 99]", "[1]");
/** Words of the first sentence and of the beginning of the second. */
const WORDS = 8;
const BODY = { queryText: QUESTION, returnMode: "ai_generated_answer" };

let folder: string;
let provider: ProviderServer;
let server: Server;
let customer: HttpServer;
let customerUrl: string;

test.use({ storageState: NOBODY });

test.beforeAll(async () => {
  test.setTimeout(300_000);
  folder = mkdtempSync(join(tmpdir(), "ragstone-streaming-"));
  provider = await startProviderServer({ answer: () => ANSWER });
  server = await startServer(join(folder, "data"), { OPENAI_BASE_URL: `${provider.url}/v1` });
  customer = await startCustomer();
});

test.afterAll(async () => {
  customer?.close();
  await server?.stop();
  await provider?.close();
  rmSync(folder, { recursive: true, force: true });
});

test.afterEach(() => {
  provider.fail(null);
});

const headers = () => ({ Accept: "text/event-stream", Authorization: `Bearer ${server.token}` });

/** Lets the answer model stop within its second sentence, until `provider.fail(null)`. */
function stallAnswers(): void {
  provider.failAt("/v1/chat/completions", { kind: "stall", words: WORDS });
}

/** The first request to the answer model since the calls were cleared. */
function answerCall() {
  return provider.calls.find(({ path }) => path === "/v1/chat/completions");
}

/** A customer's server, built from the page and the route in docs/connect.md. */
async function startCustomer(): Promise<HttpServer> {
  const docs = readFileSync(join(root, "docs/connect.md"), "utf8").split("## AI SDK (useChat)")[1] ?? "";
  const code = (language: string) => docs.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
  const mount = 'import { createRoot } from "react-dom/client"; createRoot(document.body).render(<Chat />);';
  const script = await bundle(`${code("tsx")}\n${mount}`, "iife");
  const route = await bundle(code("ts").replace("http://localhost:3000", server.url), "esm");
  process.env.RAGSTONE_API_KEY = server.token;
  const { POST } = await import(`data:text/javascript,${encodeURIComponent(route)}`);

  const started = createServer(async (incoming, outgoing) => {
    if (incoming.url === "/page.js") outgoing.writeHead(200, { "Content-Type": "text/javascript" }).end(script);
    else if (incoming.method === "GET") {
      const html = '<!doctype html><meta charset="utf-8"><body><script src="/page.js" defer></script>';
      outgoing.writeHead(200, { "Content-Type": "text/html" }).end(html);
    } else {
      const init = { method: "POST", body: new Uint8Array(await buffer(incoming)) };
      const response: Response = await POST(new Request("http://localhost/api/chat", init));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      for await (const part of response.body ?? []) outgoing.write(part);
      outgoing.end();
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => started.listen(port, "127.0.0.1", resolve));
  customerUrl = `http://127.0.0.1:${port}`;
  return started;
}

async function bundle(contents: string, format: "iife" | "esm"): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: "tsx" },
    define: { "process.env.NODE_ENV": '"production"' },
    jsx: "automatic",
    bundle: true,
    write: false,
    format,
  });
  return outputFiles[0]?.text ?? "";
}

test("useChat shows sources and sentences, drops what a failing model wrote, and shows errors", async ({ page }) => {
  await page.goto(customerUrl);
  const ask = async (question: string) => {
    await page.getByLabel("Question").fill(question);
    await page.getByRole("button", { name: "Ask" }).click();
  };
  const answers = page.getByRole("region", { name: "assistant" });
  await ask(QUESTION);
  await expect(answers.getByRole("paragraph")).toHaveText(CHECKED);
  await expect(answers.getByRole("link")).toHaveCount(10);
  await expect(answers.getByRole("link").first()).toHaveAttribute("href", /\/knowledge\/chunks\/[\da-f-]{36}$/);

  stallAnswers();
  await ask(QUESTION);
  const second = answers.nth(1);
  await expect(second.getByRole("paragraph")).toHaveText(FIRST);
  await expect(second.getByRole("paragraph")).not.toContainText(FIRST, { timeout: 30_000 });
  await expect(second.getByRole("paragraph")).not.toBeEmpty();
  await expect(second.getByRole("link")).toHaveCount(10);

  await ask(" ");
  await expect(page.getByRole("alert").filter({ hasText: "queryText" })).toBeVisible();
});

test("the AI SDK reads the server's stream in Node", async () => {
  const transport = new DefaultChatTransport({
    api: `${server.url}/v1/api/rag/retrieve`,
    prepareSendMessagesRequest: () => ({ headers: headers(), body: BODY }),
  });
  const sent = { trigger: "submit-message", chatId: "1", messageId: undefined, messages: [] } as const;
  const stream = await transport.sendMessages({ ...sent, messages: [], abortSignal: undefined });
  let text = "";
  for await (const { parts } of readUIMessageStream({ stream })) {
    text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  }
  expect(text).toBe(CHECKED);
});

test("the stream is not compressed or held back, even for callers that accept gzip", async () => {
  stallAnswers();
  const { encoding, text } = await new Promise<{ encoding: string | undefined; text: string }>((resolve, reject) => {
    const call = request(`${server.url}/v1/api/rag/retrieve`, {
      method: "POST",
      headers: { ...headers(), "Content-Type": "application/json", "Accept-Encoding": "gzip, br" },
    });
    call.on("error", reject).on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
        if (!text.includes(FIRST)) return;
        call.destroy();
        resolve({ encoding: response.headers["content-encoding"], text });
      });
    });
    call.end(JSON.stringify(BODY));
  });
  expect(encoding).toBeUndefined();
  // the model has not ended yet
  expect(text).not.toContain("text-end");
});

test("the model's request ends when the caller leaves", async () => {
  provider.calls.length = 0;
  stallAnswers();
  const caller = new AbortController();
  const response = await fetch(`${server.url}/v1/api/rag/retrieve`, {
    method: "POST",
    headers: { ...headers(), "Content-Type": "application/json" },
    body: JSON.stringify(BODY),
    signal: caller.signal,
  });
  await response.body?.getReader().read();
  await expect.poll(answerCall).toBeTruthy();
  caller.abort();
  expect(await answerCall()?.aborted).toBe(true);
});

test("the playground shows results immediately and sentences as they come, and a new run ends the one before", async ({
  page,
}) => {
  await page.goto(`${server.url}/sign-in`);
  await fillSignIn(page, server);
  await page.waitForURL("**/overview");
  await page.goto(`${server.url}/playground`);
  const answer = page.getByRole("heading", { name: "Answer" }).locator("xpath=ancestor::section[1]");
  const results = page.getByRole("region", { name: "Results" });
  await page.getByLabel("Question").fill(QUESTION);
  await expect(page.getByRole("button", { name: "Run" })).toBeEnabled();

  provider.calls.length = 0;
  stallAnswers();
  await page.keyboard.press("Control+Enter");
  await expect(results.getByRole("status").first()).toHaveText(/results in \d+ ms$/);
  await expect(answer).toContainText("Cancel it in writing");
  await expect(answer).toContainText("Writing the answer…");
  await expect(answer.getByRole("button", { name: "Show result 1" }).first()).toBeVisible();
  const stalled = answerCall();

  provider.fail(null);
  await page.keyboard.press("Control+Enter");
  expect(await stalled?.aborted).toBe(true);
  await expect(answer).toContainText("Send the router back within 14 days");
  await expect(answer.getByRole("button", { name: "Copy answer" })).toBeVisible();
  await expect(answer).not.toContainText("Writing");
  await expect(page.getByRole("region", { name: "Your earlier runs" }).getByRole("listitem")).toHaveCount(1);

  stallAnswers();
  await page.keyboard.press("Control+Enter");
  await expect(answer).toContainText("Cancel it in writing");
  await expect(answer).toContainText("The answer model is unavailable.", { timeout: 30_000 });
  await expect(answer).not.toContainText("Cancel it in writing");
});
