import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createWebServer, type WebServer } from "./http-server.ts";

vi.stubEnv("LOG_LEVEL", "silent");

/** More than the kernel buffers for a connection. */
const BODY_BYTES = 30 * 1024 * 1024;

let web: WebServer;
let client: Socket;
let readSome: (request: IncomingMessage) => unknown;

beforeEach(async () => {
  web = createWebServer();
  web.server.listen(0, "127.0.0.1");
  await once(web.server, "listening");
  web.open(async (request, response) => {
    await readSome(request);
    response.writeHead(413, { "Content-Length": "9" });
    response.end("too large");
  });
  client = connect(Number(new URL(web.address()).port), "127.0.0.1");
});
afterEach(async () => {
  client.destroy();
  await web.close(0);
});

/** Sends a request with its whole body before it reads anything, as many HTTP clients do. */
async function sendAll(headers: string): Promise<void> {
  client.pause();
  client.write(`POST / HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${BODY_BYTES}\r\n\r\n`);
  await new Promise<void>((resolve, reject) =>
    client.write(Buffer.alloc(BODY_BYTES), (error) => (error ? reject(error) : resolve())),
  );
}

async function readOnce(request: IncomingMessage): Promise<void> {
  for await (const _ of request) return;
}

/** Reads one response. */
async function readResponse(): Promise<string> {
  let text = "";
  while (!text.endsWith("too large")) {
    const part = once(client, "data");
    client.resume();
    text += String((await part)[0]);
    client.pause();
  }
  return text;
}

describe("a body that is not read to its end", () => {
  it.each([
    ["never read", () => undefined],
    ["read by a loop that stops", readOnce],
    ["read by an iterator that is left", (request: IncomingMessage) => request[Symbol.asyncIterator]().next()],
    ["read by a listener that pauses", (request: IncomingMessage) => once(request, "data").then(() => request.pause())],
  ])("lets the client read the response, and send its next request: %s", async (_name, read) => {
    readSome = read;
    for (let requests = 0; requests < 2; requests++) {
      await sendAll("");
      expect(await readResponse()).toMatch(/^HTTP\/1.1 413 /);
    }
  });

  it("lets the client read the response before the connection is closed", async () => {
    readSome = readOnce;
    const ended = once(client, "end");
    await sendAll("Connection: close\r\n");
    expect(await readResponse()).toMatch(/^HTTP\/1.1 413 /);
    client.resume();
    await ended;
  });

  it("lets the next request close the connection, although the client does not close it", async () => {
    readSome = () => undefined;
    const halfOpen = connect({ port: Number(new URL(web.address()).port), host: "127.0.0.1", allowHalfOpen: true });
    halfOpen.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n");
    const [connection] = await once(web.server, "connection");
    await once(halfOpen, "data");
    halfOpen.write("helloGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await once(connection, "close");
    halfOpen.destroy();
  });
});
