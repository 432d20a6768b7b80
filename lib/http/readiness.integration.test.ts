import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { GET as HEALTHZ } from "../../app/healthz/route.ts";
import { GET as READYZ } from "../../app/readyz/route.ts";
import { embedder } from "../ai/models.ts";
import { closeConnection, connect, setConnection } from "../db/client.ts";
import { embeddedConnectionOptions } from "../db/embedded/index.ts";
import { env } from "../env.ts";
import { testDatabase } from "../testing/database.ts";
import { freePort } from "../testing/free-port.ts";
import { routeServer } from "../testing/serve-route.ts";

vi.stubEnv("LOG_LEVEL", "silent");
testDatabase();

const serve = routeServer();
const sockets = new Set<Socket>();
let isFrozen = false;
/** Leads to the tests' database. */
const gate = createServer((client) => {
  if (isFrozen) return void sockets.add(client);
  const database = createConnection(embeddedConnectionOptions(env().dataDir).path);
  for (const socket of [client, database]) sockets.add(socket.on("error", () => undefined));
  client.pipe(database).pipe(client);
});
let port: number;

beforeAll(async () => {
  await embedder();
  port = await freePort();
  await open();
  setConnection(connect({ url: `postgres://postgres@127.0.0.1:${port}/postgres` }));
});
afterAll(async () => {
  await closeConnection();
  close();
});

const open = () => once(gate.listen(port, "127.0.0.1"), "listening");

function disconnect(): void {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
}

function close(): void {
  gate.close();
  disconnect();
}

async function probe() {
  const [health, ready] = [await fetch(await serve(HEALTHZ)), await fetch(await serve(READYZ))];
  expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
  return { status: ready.status, retryAfter: ready.headers.get("retry-after"), body: await ready.json() };
}

const READY = { status: 200, body: { status: "ok", database: "ok", models: "ok" } };
const NOT_READY = {
  status: 503,
  retryAfter: "2",
  body: { error: "ServiceUnavailable", message: "Not ready: the database does not respond. Retry in a few seconds." },
};

test("without its database, a server is alive and not ready, until the database is back", async () => {
  await expect.poll(probe, { timeout: 20_000 }).toMatchObject(READY);
  close();
  expect(await probe()).toMatchObject(NOT_READY);
  await open();
  await expect.poll(probe, { timeout: 20_000 }).toMatchObject(READY);
});

test("a database that accepts connections and does not answer is not ready either", async () => {
  isFrozen = true;
  disconnect();
  expect(await probe()).toMatchObject(NOT_READY);
  isFrozen = false;
  disconnect();
  await expect.poll(probe, { timeout: 20_000 }).toMatchObject(READY);
});
