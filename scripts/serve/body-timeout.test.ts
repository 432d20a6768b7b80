import { once } from "node:events";
import { IncomingMessage, type ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sendRaw } from "../../lib/testing/send-raw.ts";
import { watchBody } from "./body-timeout.ts";
import { createWebServer, type WebServer } from "./http-server.ts";

vi.stubEnv("LOG_LEVEL", "silent");

let web: WebServer;

const HEAD = "POST / HTTP/1.1\r\nHost: x\r\n";

/** Reads the whole body, then responds with its size. */
async function readAll(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let size = 0;
  for await (const chunk of request) size += chunk.length;
  response.end(String(size));
}

async function start(bodyTimeoutMs: number): Promise<void> {
  web = createWebServer({ bodyTimeoutMs });
  web.server.listen(0, "127.0.0.1");
  await once(web.server, "listening");
  web.open((request, response) => readAll(request, response).catch(() => undefined));
}

beforeEach(() => start(400));
afterEach(() => web.close(0));

describe("a stalled body", () => {
  it.each([
    ["with a length", `${HEAD}Content-Length: 10\r\n\r\nabc`],
    ["chunked, without an end", `${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`],
    ["in an action", `${HEAD}Next-Action: x\r\nContent-Length: 10\r\n\r\n`],
  ])("gets 408, and the connection is closed: %s", async (_name, bytes) => {
    // `sendRaw` returns only when the server closes the connection
    const { head, body } = await sendRaw(web.address(), bytes);
    expect(head).toMatch(/^HTTP\/1.1 408 /);
    expect(head).toMatch(/^connection: close$/im);
    expect(JSON.parse(body)).toEqual({ statusCode: 408, error: "RequestTimeout", message: expect.any(String) });
  });

  it("times out even if single bytes arrive", async () => {
    const socket = connect(Number(new URL(web.address()).port), "127.0.0.1");
    socket.write(`${HEAD}Content-Length: 100000\r\n\r\n`);
    const drip = setInterval(() => socket.write("x"), 20);
    const [answer] = await once(socket, "data");
    clearInterval(drip);
    expect(String(answer)).toMatch(/^HTTP\/1.1 408 /);
    socket.destroy();
  });

  it("times out within its time after the last progress, whenever that was", () => {
    vi.useFakeTimers();
    const socket = new Socket();
    let bytesRead = 0;
    Object.defineProperty(socket, "bytesRead", { get: () => bytesRead });
    const request = new IncomingMessage(socket);
    request.headers["content-length"] = "10000";
    const onStalled = vi.fn();
    watchBody(request, 15_000, onStalled);
    vi.advanceTimersByTime(3_100);
    bytesRead = 2_000;
    vi.advanceTimersByTime(15_000);
    vi.useRealTimers();
    expect(onStalled).toHaveBeenCalledTimes(1);
  });

  it("closes the connection of a request that was answered without its body", async () => {
    web.open(async (_request, response) => void response.writeHead(401).end());
    const { head } = await sendRaw(web.address(), `${HEAD}Content-Length: 10\r\n\r\nabc`);
    expect(head).toMatch(/^HTTP\/1.1 401 /);
  });

  it("does not time out while it makes progress, or while the application reads slowly", async () => {
    await web.close(0);
    // long enough for a busy machine
    await start(1_500);
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await setTimeout(200);
        controller.enqueue(new Uint8Array(2_000));
        if (++sent === 8) controller.close();
      },
    });
    let sent = 0;
    const upload: RequestInit & { duplex: "half" } = { method: "POST", body: slow, duplex: "half" };
    expect(await (await fetch(web.address(), upload)).text()).toBe("16000");
    web.open(async (request, response) => {
      await setTimeout(1_800);
      await readAll(request, response);
    });
    const busy = await fetch(web.address(), { method: "POST", body: new Uint8Array(100_000) });
    expect(await busy.text()).toBe("100000");
  });
});
