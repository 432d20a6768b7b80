import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { type Answers, answerChat, answerEmbeddings, answerRerank, type Nonsense } from "./provider-answers.ts";

/**
 * A fault of a request. `hang` never answers, `reset` breaks the connection before the response, `cut` within its body;
 * `drip` sends a body byte by byte. `bomb` is small on the wire and huge when decompressed. Nonsense is a response with
 * status 200 that must be refused. The others send the first words of a stream, one unless they say how many: `stall`
 * then nothing, `cut-stream` breaks the connection, `error-event` sends an error.
 */
export type Fault =
  | { kind: "slow"; ms: number }
  | { kind: "status"; status: number; headers?: Record<string, string> }
  | { kind: "hang" | "reset" | "cut" | "drip" }
  | { kind: "stall" | "cut-stream" | "error-event"; words?: number }
  | { kind: "html" | "garbage" | "empty" | "other-shape" | "other-type" | "huge" | "bomb" }
  | { kind: Nonsense };

/** A request as the server saw it. */
interface ProviderCall {
  path: string;
  headers: IncomingMessage["headers"];
  body: unknown;
  /** Settles when the connection is closed: true when the client disconnected before the response was complete. */
  aborted: Promise<boolean>;
}

export interface ProviderServer {
  /** `http://127.0.0.1:<port>`: OpenAI's API is below `/v1`, Cohere's reranker at `/v2/rerank`. */
  url: string;
  calls: ProviderCall[];
  /** Makes every request fail, or only the next `times`; null removes the fault. */
  fail(fault: Fault | null, times?: number): void;
  /** Makes every request to one path fail, until `fail` or `failAt` is called again. */
  failAt(path: string, fault: Fault): void;
  /** Listens again at the same address, after `close`. */
  reopen(): Promise<void>;
  /** Refuses all further connections. */
  close(): Promise<void>;
}

/** Starts a server of the provider APIs on the loopback interface, which can be told to fail. Close it after use. */
export async function startProviderServer(answers: Partial<Answers> = {}): Promise<ProviderServer> {
  const calls: ProviderCall[] = [];
  const settings: Answers = { dimensions: 1536, answer: () => "The contract ends after 24 months [1].", ...answers };
  let fault: Fault | null = null;
  let remaining = 0;
  let failingPath: string | null = null;

  const server = createServer(async (request, response) => {
    const closed = Promise.withResolvers<boolean>();
    response.on("close", () => closed.resolve(!response.writableFinished));
    // a client that leaves early sends no whole body
    const body = await json(request).catch(() => undefined);
    const call = {
      path: request.url ?? "",
      headers: request.headers,
      body,
      aborted: closed.promise,
    };
    calls.push(call);
    const isAffected = failingPath === null || failingPath === call.path;
    const current = isAffected && remaining-- > 0 ? fault : null;
    if (current?.kind === "slow") await sleep(current.ms);
    else if (current && breakTransport(current, response)) return;
    try {
      respond(call, current, settings, response);
    } catch {
      sendJson(response, { error: { message: "malformed request" } }, 400);
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;

  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    fail(next, times = Number.POSITIVE_INFINITY) {
      fault = next;
      remaining = times;
      failingPath = null;
    },
    failAt(path, next) {
      fault = next;
      remaining = Number.POSITIVE_INFINITY;
      failingPath = path;
    },
    reopen: () => listen(port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @returns whether the response is handled */
function breakTransport(fault: Fault, response: ServerResponse): boolean {
  switch (fault.kind) {
    case "hang":
      return true;
    case "status":
      sendJson(response, { error: { message: "told to fail" } }, fault.status, fault.headers);
      return true;
    case "html":
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<!doctype html><h1>Sign in</h1>");
      return true;
    case "garbage":
      response.writeHead(200, { "content-type": "application/json" }).end('{"data": [{"embedding": [0.1, ');
      return true;
    case "cut":
      response.writeHead(200, { "content-type": "application/json", "content-length": "100000" });
      response.write('{"data": [', () => response.destroy());
      return true;
    case "reset":
      response.socket?.resetAndDestroy();
      return true;
    case "drip":
      response.writeHead(200, { "content-type": "application/json" });
      sendSlowly(response);
      return true;
    case "empty":
      response.writeHead(200, { "content-type": "application/json" }).end();
      return true;
    case "other-shape":
      sendJson(response, { ok: true, result: [null] });
      return true;
    case "other-type":
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(Buffer.alloc(5_000, 7));
      return true;
    case "bomb":
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(bomb());
      return true;
    case "huge":
      response.writeHead(200, { "content-type": "application/json" });
      sendForever(response);
      return true;
    default:
      return false;
  }
}

function sendForever(response: ServerResponse): void {
  const part = Buffer.alloc(65_536, " ");
  const send = () => {
    while (!response.destroyed && response.write(part));
    if (!response.destroyed) response.once("drain", send);
  };
  send();
}

function sendSlowly(response: ServerResponse): void {
  const timer = setInterval(() => response.write(" "), 100);
  response.on("close", () => clearInterval(timer));
}

let packed: Buffer | undefined;

/** 100 MB of spaces in 100 kB. */
function bomb(): Buffer {
  packed ??= gzipSync(Buffer.alloc(100_000_000, " "), { level: 1 });
  return packed;
}

function respond(call: ProviderCall, fault: Fault | null, settings: Answers, response: ServerResponse): void {
  switch (call.path) {
    case "/v1/embeddings":
      sendJson(response, answerEmbeddings(call.body, settings, fault?.kind));
      break;
    case "/v2/rerank":
      sendJson(response, answerRerank(call.body, fault?.kind));
      break;
    case "/v1/chat/completions":
      sendChat(response, answerChat(call.body, settings, fault?.kind), fault);
      break;
    default:
      sendJson(response, { error: { message: "not found" } }, 404);
  }
}

function sendChat(
  response: ServerResponse,
  { completion, chunks }: ReturnType<typeof answerChat>,
  fault: Fault | null,
): void {
  if (!chunks) {
    sendJson(response, completion);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  const begin = ({ words = 1 }: { words?: number }) => events.slice(0, words).join("");
  if (fault?.kind === "stall") response.write(begin(fault));
  else if (fault?.kind === "cut-stream") response.write(begin(fault), () => response.destroy());
  else if (fault?.kind === "error-event") {
    response.end(
      `${begin(fault)}data: ${JSON.stringify({ error: { message: "told to fail", type: "server_error" } })}\n\n`,
    );
  } else response.end(`${events.join("")}data: [DONE]\n\n`);
}

function sendJson(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(writeNaN(JSON.stringify(body)));
}

/** Writes NaN as Python's json module does, which many servers use: a bare word that is not valid JSON. */
function writeNaN(text: string): string {
  return text.replaceAll('"NaN"', "NaN");
}
