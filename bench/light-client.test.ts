import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { lightClient } from "./light-client.ts";

const server = createServer();
afterEach(() => {
  server.removeAllListeners("request").close();
  server.closeAllConnections();
});

async function clientOf(listener: RequestListener) {
  await once(server.on("request", listener).listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return lightClient(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/search`);
}

it("sends the key and the body, and reads a long answer over the same connection", async () => {
  const ports = new Set<number | undefined>();
  const long = "é".repeat(300_000);
  const send = await clientOf(async (request, response) => {
    ports.add(request.socket.remotePort);
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, key: headers.authorization, body: await text(request), long }));
  });
  for (const queryText of ["Grüße", "two"]) {
    const body = JSON.stringify({ queryText });
    expect(await send("t0", { queryText })).toEqual({ method: "POST", url: "/search", key: "Bearer t0", body, long });
  }
  expect(ports.size).toBe(1);
});

it("rejects other statuses, a connection that closes, and a response without a length", async () => {
  const send = await clientOf((request, response) => {
    request.resume();
    const kind = request.headers.authorization?.replace("Bearer ", "");
    if (kind === "unknown") response.writeHead(401, { "Content-Length": 2 }).end("no");
    else if (kind === "closing") response.destroy();
    else response.writeHead(200).end("{}");
  });
  await expect(send("unknown", {})).rejects.toThrow("401 no");
  await expect(send("closing", {})).rejects.toThrow("closed the connection");
  await expect(send("chunked", {})).rejects.toThrow("without a length");
});
