import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DatabaseServer, serveDatabase } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "ragstone-overtaking-"));
const socketPath = join(folder, "s");
const options = { path: socketPath, user: "postgres", database: "postgres", prepare: false, fetch_types: false };
const onFailure = (error: unknown) => Promise.reject(error);
let db: PGlite;
let server: DatabaseServer;
let sql: postgres.Sql;

beforeAll(async () => {
  db = await PGlite.create();
  server = await serveDatabase(db, { socketPath, overtakenMs: 60_000, onFailure });
  sql = postgres(options);
}, 60_000);

afterAll(async () => {
  await sql.end();
  await server.close();
  await db.close();
  rmSync(folder, { recursive: true });
}, 60_000);

/** Holds the session in a transaction. @returns a function that ends it */
async function holdSession(client: postgres.Sql): Promise<() => Promise<void>> {
  const holding = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const held = client.begin(async (tx) => {
    await tx`select 1`;
    holding.resolve();
    await released.promise;
  });
  await holding.promise;
  return async () => {
    released.resolve();
    await held;
  };
}

/** Sends the first statement of a transaction. */
async function beginTransaction(client: postgres.Sql, onAnswer: () => void) {
  const sent = Promise.withResolvers<void>();
  const ended = client.begin(async (tx) => {
    const statement = tx`select 1`.execute();
    sent.resolve();
    await statement;
    onAnswer();
  });
  await sent.promise;
  return { ended };
}

/** Waits until the server has read what was sent before: it reads its sockets in turn. */
async function untilRead(path: string): Promise<void> {
  await once(connect(path).resume().end(), "close");
}

/** How many of 40 single statements are answered before a transaction that waits longer. */
async function countOvertaking(path: string): Promise<number> {
  const clients = postgres({ ...options, path, max: 42 });
  // connected before, because a new connection waits for the session too
  await Promise.all(Array.from({ length: 42 }, () => clients`select 1`));
  const order: string[] = [];
  const release = await holdSession(clients);
  const transaction = await beginTransaction(clients, () => order.push("transaction"));
  const statements = Array.from({ length: 40 }, () => clients`select 1`.then(() => order.push("statement")));
  await untilRead(path);
  await Promise.all([release(), transaction.ended, ...statements]);
  await clients.end();
  return order.indexOf("transaction");
}

it("answers single statements before a transaction that waits longer, but not for ever", async () => {
  const overtaking = await countOvertaking(socketPath);
  expect(overtaking).toBeGreaterThan(0);
  expect(overtaking).toBeLessThan(40);
});

it("answers no statement before a transaction that has waited for too long", async () => {
  const other = join(folder, "in-order");
  const inOrder = await serveDatabase(db, { socketPath: other, overtakenMs: 0, onFailure });
  expect(await countOvertaking(other)).toBe(0);
  await inOrder.close();
});

it("lets no writing transaction overtake another, even behind a statement of the same client", async () => {
  const [waiting, pipelining] = [postgres({ ...options, max: 1 }), postgres({ ...options, max: 1 })];
  await Promise.all([waiting`select 1`, pipelining`select 1`]);
  const order: string[] = [];
  const release = await holdSession(sql);
  const first = await beginTransaction(waiting, () => order.push("waits longer"));
  const statement = pipelining`select 1`.execute();
  const second = pipelining.begin(async (tx) => {
    await tx`select 1`;
    order.push("behind a statement");
  });
  await untilRead(socketPath);
  await Promise.all([release(), first.ended, statement, second]);
  expect(order).toEqual(["waits longer", "behind a statement"]);
  await Promise.all([waiting.end(), pipelining.end()]);
});

it("makes a writing transaction wait for the next read of a question, but not for ever", async () => {
  const path = join(folder, "reads");
  const server = await serveDatabase(db, { socketPath: path, overtakenMs: 8_000, readPauseMs: 60_000, onFailure });
  const [reader, writer] = [postgres({ ...options, path, max: 1 }), postgres({ ...options, path, max: 1 })];
  await writer`select 1`;
  const order: string[] = [];
  await reader.unsafe("select 1");
  const transaction = await beginTransaction(writer, () => order.push("transaction"));
  await untilRead(path);
  await reader.unsafe("select 2").then(() => order.push("read"));
  await transaction.ended;
  expect(order).toEqual(["read", "transaction"]);
  await Promise.all([reader.end(), writer.end()]);
  await server.close();
});

it("begins a read-only transaction without a pause, and before a writing one that waits", async () => {
  const path = join(folder, "snapshot");
  const server = await serveDatabase(db, { socketPath: path, overtakenMs: 600_000, readPauseMs: 600_000, onFailure });
  const [reader, writer] = [postgres({ ...options, path, max: 1 }), postgres({ ...options, path, max: 1 })];
  await writer`select 1`;
  await reader.unsafe("select 1");
  let written = false;
  const { ended } = await beginTransaction(writer, () => (written = true));
  ended.catch(() => undefined);
  await untilRead(path);
  const answer = await reader.begin(async (tx) => {
    await tx.unsafe("set transaction isolation level repeatable read, read only; set local jit = off");
    return tx`select 1 as one`;
  });
  expect(answer).toMatchObject([{ one: 1 }]);
  expect(written).toBe(false);
  await Promise.all([reader.end(), writer.end({ timeout: 0 })]);
  await server.close();
});
