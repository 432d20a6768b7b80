import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import postgres, { type TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { env } from "../env.ts";
import { testDatabase } from "../testing/database.ts";
import { embeddedConnectionOptions } from "./embedded/index.ts";
import { socketPath } from "./embedded/socket.ts";
import { endWithConnection } from "./end-with-connection.ts";

testDatabase();

const uncaught: unknown[] = [];
const keep = (error: unknown) => uncaught.push(error);
beforeAll(() => process.on("uncaughtException", keep));
afterAll(() => process.off("uncaughtException", keep));

/** A client whose connections the test can close. */
function openClient() {
  const { databaseUrl, dataDir } = env();
  const sockets: Socket[] = [];
  const socket = async () => {
    const { port, hostname } = databaseUrl ? new URL(databaseUrl) : { port: 0, hostname: "" };
    const made = databaseUrl ? connect(Number(port), hostname) : connect(socketPath(dataDir));
    await once(made, "connect");
    sockets.push(made);
    return made;
  };
  const options = { max: 1, prepare: false, fetch_types: false, backoff: () => 0.05, socket };
  const client = databaseUrl
    ? postgres(databaseUrl, options)
    : postgres({ ...embeddedConnectionOptions(dataDir), ...options });
  const close = (error?: Error) => sockets.at(-1)?.destroy(error);
  return { client: endWithConnection(client), close };
}

const CLOSED_MS = 50;

type Scene = (tx: TransactionSql, close: (error?: Error) => void) => Promise<unknown>;
const SCENES: [when: string, scene: Scene][] = [
  [
    "while a statement runs",
    async (tx, close) => {
      const running = tx.unsafe("select pg_sleep(0.2)").execute();
      await setTimeout(CLOSED_MS);
      close();
      await running;
    },
  ],
  [
    "because of an error",
    async (tx, close) => {
      const running = tx.unsafe("select pg_sleep(0.2)").execute();
      await setTimeout(CLOSED_MS);
      close(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
      await running;
    },
  ],
  [
    "between two statements",
    async (tx, close) => {
      close();
      await setTimeout(CLOSED_MS);
      await tx.unsafe("select 1");
    },
  ],
  [
    "before an error of its work",
    async (_, close) => {
      close();
      throw new Error("no such row");
    },
  ],
  [
    "before its commit",
    async (_, close) => {
      close();
      await setTimeout(CLOSED_MS);
    },
  ],
];

it.each(SCENES)("a transaction whose connection closes %s fails, and the process goes on", async (_, scene) => {
  const { client, close } = openClient();
  const transaction = client.begin(async (tx) => {
    await tx.unsafe("select 1");
    await scene(tx, close);
  });
  await expect(transaction).rejects.toMatchObject({ code: expect.stringMatching(/CONNECTION_CLOSED|ECONNRESET/) });
  await setTimeout(CLOSED_MS);
  expect(uncaught).toEqual([]);
  expect(await client.unsafe("select 1 as one")).toEqual([{ one: 1 }]);
  await client.end();
});

it("a transaction keeps its result and its own errors", async () => {
  const { client } = openClient();
  expect(await client.begin(async (tx) => (await tx.unsafe("select 2 as two"))[0])).toEqual({ two: 2 });
  const own = new Error("no such row");
  await expect(client.begin(async () => Promise.reject(own))).rejects.toBe(own);
  await expect(client.begin((tx) => tx.unsafe("select nothing"))).rejects.toMatchObject({ code: "42703" });
  expect(await client.unsafe("select 1 as one")).toEqual([{ one: 1 }]);
  await client.end();
});
