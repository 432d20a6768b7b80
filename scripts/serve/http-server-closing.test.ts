import { once } from "node:events";
import { Agent, request as httpRequest, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createWebServer, type WebServer } from "./http-server.ts";

vi.stubEnv("LOG_LEVEL", "silent");

let web: WebServer;

beforeEach(async () => {
  web = createWebServer();
  web.server.listen(0, "127.0.0.1");
  await once(web.server, "listening");
});
afterEach(() => web.close(0));

describe("the web server when it closes", () => {
  it("answers what arrives while it closes, and ends each connection with its answer", async () => {
    const { promise: closing, resolve } = Promise.withResolvers<void>();
    web.open(async (_request, response) => void response.end("answered"));
    const { port } = new URL(web.address());
    const agent = new Agent({ keepAlive: true });
    const connectionOf = async () => {
      const [response] = await once(httpRequest({ port, host: "127.0.0.1", agent }).end(), "response");
      await buffer(response);
      return response.headers.connection;
    };
    expect(await connectionOf()).toBe("keep-alive");
    void web.close(10_000).then(resolve);
    expect([await connectionOf(), await connectionOf()]).toEqual(["close", "close"]);
    await closing;
    await expect(connectionOf()).rejects.toThrow("ECONNREFUSED");
  });

  it("finishes requests in flight when it closes, then accepts no new ones, and does not wait for idle connections", async () => {
    const release = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    web.open(async (_request, response) => {
      arrived.resolve();
      await release.promise;
      response.end("finished");
    });
    const address = web.address();
    const idle = connect(Number(new URL(address).port), "127.0.0.1");
    await once(idle, "connect");
    const inFlight = fetch(address);
    await arrived.promise;
    const closed = web.close(10_000);
    await vi.waitFor(() => expect(web.server.listening).toBe(false), 10_000);
    await expect(fetch(address)).rejects.toThrow();
    release.resolve();
    const response = await inFlight;
    expect(response.headers.get("connection")).toBe("close");
    expect(await response.text()).toBe("finished");
    await closed;
  });

  it("ends the connection of a stream that began earlier when the stream ends", async () => {
    const streaming = Promise.withResolvers<ServerResponse>();
    web.open(async (_request, response) => {
      response.writeHead(200).flushHeaders();
      streaming.resolve(response);
    });
    const port = Number(new URL(web.address()).port);
    const idle = connect(port, "127.0.0.1");
    const agent = new Agent({ keepAlive: true });
    const [response] = await once(httpRequest({ port, host: "127.0.0.1", agent }).end(), "response");
    const closed = web.close(600_000);
    // by now, only the stream keeps the server open
    await once(idle, "close");
    (await streaming.promise).end("finished");
    expect((await buffer(response)).toString()).toBe("finished");
    await closed;
  });

  it("answers a pipelined request whose connection's first answer began before it closes", async () => {
    const responses: ServerResponse[] = [];
    web.open(async (_request, response) => {
      responses.push(response);
      if (responses.length === 1) response.writeHead(200).flushHeaders();
    });
    const { hostname, port } = new URL(web.address());
    const socket = connect(Number(port), hostname);
    const answers = buffer(socket);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await vi.waitFor(() => expect(responses).toHaveLength(2), 10_000);
    const closed = web.close(600_000);
    await vi.waitFor(() => expect(web.server.listening).toBe(false), 10_000);
    const [first, second] = responses;
    first?.end("first");
    await vi.waitFor(() => expect(first?.closed).toBe(true), 10_000);
    second?.end("second");
    expect((await answers).toString()).toMatch(/first[\s\S]*HTTP\/1.1 200[\s\S]*second/);
    await closed;
  });

  it("closes after the grace period at the latest", async () => {
    web.open(async (_request, response) => void response.writeHead(200).flushHeaders());
    const hanging = await fetch(web.address());
    await web.close(200);
    await expect(hanging.text()).rejects.toThrow();
  });
});
