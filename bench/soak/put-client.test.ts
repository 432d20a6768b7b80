import { createServer, type RequestListener, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { PutClient } from "./put-client.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/** A client of a server that answers with these handlers in turn; the last one answers all further requests. */
async function clientOf(...handlers: RequestListener[]): Promise<PutClient> {
  let asked = 0;
  server = createServer((request, response) => handlers[Math.min(asked++, handlers.length - 1)]?.(request, response));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return new PutClient({ url: () => `http://127.0.0.1:${port}`, isUp: () => true }, "token");
}

const accept: RequestListener = async (request, response) => {
  const body = await text(request);
  response.writeHead(202).end(JSON.stringify({ versionId: `${request.url} ${body}` }));
};
const lose: RequestListener = (request) => request.socket.destroy();
const refuse =
  (status: number, headers = {}): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, headers).end("The server's disk is full");
  };

it("repeats a PUT after a lost connection, and counts it as a fault of a server that runs", async () => {
  const client = await clientOf(lose, accept);
  const accepted = await client.put("a", "Text.");
  expect(accepted).toContain('"sourceId":"a"');
  expect(client.puts).toBe(1);
  expect(client.faults).toEqual([expect.stringContaining("lost connection")]);
  expect(client.underWay()).toBe(0);
});

it("accepts 503 only with Retry-After", async () => {
  const client = await clientOf(refuse(503, { "Retry-After": "1" }), refuse(503), accept);
  await client.put("a", "Text.");
  expect(client.refused).toBe(2);
  expect(client.faults).toEqual(["503 without Retry-After"]);
});

it("keeps the messages of a full disk apart", async () => {
  const client = await clientOf(refuse(507), accept);
  await client.put("a", "Text.");
  expect({ full: client.diskFull, others: client.faults }).toEqual({ full: ["The server's disk is full"], others: [] });
});

it("stops an upload in the middle, and sends the whole file once that failed", async () => {
  const client = await clientOf(lose, accept);
  const [half, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const accepted = client.upload("a.md", "First. Second.", { onHalf: half.resolve, rest: rest.promise });
  await half.promise;
  rest.resolve();
  expect(await accepted).toBe("/v1/api/sources/file?sourceId=a.md First. Second.");
});
