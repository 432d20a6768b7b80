import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withNamedStatements } from "./named-statements.ts";
import { queryMessage, STARTUP_MESSAGE } from "./protocol.ts";
import { type DatabaseServer, serveDatabase } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "ragstone-server-"));
const socketPath = join(folder, "s");
const options = { path: socketPath, user: "postgres", database: "postgres", prepare: false, fetch_types: false };
let db: PGlite;
let server: DatabaseServer;
let sql: postgres.Sql;

beforeAll(async () => {
  db = await PGlite.create();
  server = await serveDatabase(db, {
    socketPath,
    idleInTransactionMs: 1500,
    onFailure: (error) => Promise.reject(error),
  });
  sql = postgres({ ...options, max: 6, onnotice: () => undefined });
  await sql`create table notes (writer int, text text)`;
}, 60_000);

afterAll(async () => {
  await sql.end();
  await server.close();
  await db.close();
  rmSync(folder, { recursive: true });
}, 60_000);

describe("serveDatabase", () => {
  it("never mixes the statements of concurrent clients", async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const [row] = i % 2 ? await sql`select ${i}::int as n` : await sql`select ${`t${i}`}::text as n, true as even`;
        return row?.n;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 200 }, (_, i) => (i % 2 ? i : `t${i}`)));
  });

  it("continues after a statement that fails, and returns the error to its client", async () => {
    const failing = Array.from({ length: 20 }, () => sql`select ${"x"}::int`.catch((error) => error.code));
    const working = Array.from({ length: 20 }, (_, i) => sql`select ${i}::int as n`.then(([row]) => row?.n));
    expect(await Promise.all(failing)).toEqual(Array(20).fill("22P02"));
    expect(await Promise.all(working)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it("isolates the transactions of concurrent clients, their local settings and their rollback", async () => {
    const seen = await Promise.all(
      Array.from({ length: 6 }, (_, writer) =>
        sql
          .begin(async (tx) => {
            await tx.unsafe(`set local app.writer = '${writer}'`);
            await tx`insert into notes values (${writer}, ${"draft"})`;
            const [row] =
              await tx`select current_setting('app.writer') as writer, (select count(*)::int from notes) as notes`;
            if (writer % 2) throw new Error("changed my mind");
            return row;
          })
          .catch(() => ({ writer: "rolled back" })),
      ),
    );
    expect(seen.map((row) => row?.writer)).toEqual(["0", "rolled back", "2", "rolled back", "4", "rolled back"]);
    expect(await sql`select writer from notes order by 1`).toEqual([{ writer: 0 }, { writer: 2 }, { writer: 4 }]);
  });

  it("serves others while a client that has begun a transaction sends no statement yet", async () => {
    const answered = Promise.withResolvers<void>();
    const rolledBack = sql.begin(async (tx) => {
      await answered.promise;
      await tx`insert into notes values (50, 'unfinished')`;
      throw new Error("changed my mind");
    });
    const [row] = await sql`select count(*)::int as notes from notes where writer = 50`;
    answered.resolve();
    await expect(rolledBack).rejects.toThrow("changed my mind");
    expect([row?.notes, await sql`select from notes where writer = 50`]).toEqual([0, []]);
  });

  it("takes parameters of many megabytes and many rows together", async () => {
    const [row] = await sql`select length(${Buffer.alloc(20 << 20, 7)}::bytea) as length`;
    expect(row?.length).toBe(20 << 20);
    await sql.begin(async (tx) => {
      const rows = Array.from({ length: 200 }, (_, i) => ({ writer: 100 + i, text: "x".repeat(2000) }));
      expect((await tx`insert into notes ${tx(rows)}`).count).toBe(200);
    });
  });

  it("rolls back the transaction of a client that was killed, and serves the next client", async () => {
    const client = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import postgres from "postgres";
         await postgres(${JSON.stringify(options)}).begin(async (tx) => {
           await tx\`insert into notes values (\${7}, \${"unfinished"})\`;
           console.log("inside");
           await new Promise(() => setInterval(() => {}, 1000));
         });`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(client.stdout, "data");
    const next = sql`select count(*)::int as n from notes where writer = 7`;
    next.execute();
    client.kill("SIGKILL");
    expect(await next).toEqual([{ n: 0 }]);
  });

  it("rolls back an extended query that a client left unfinished", async () => {
    const half = connect(socketPath);
    half.write(STARTUP_MESSAGE);
    await once(half, "data");
    const parseAndFlush = "P\0\0\0\x16\0select nothing\0\0\0H\0\0\0\x04";
    half.write(parseAndFlush);
    await once(half, "data");
    half.destroy();
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  });

  it("disconnects a client that is idle in a transaction", async () => {
    const sleeper = postgres({ ...options, max: 1 });
    const inside = Promise.withResolvers<void>();
    const slept = sleeper.begin(async (tx) => {
      await tx`insert into notes values (8, 'asleep')`;
      inside.resolve();
      await new Promise(() => undefined);
    });
    const disconnected = expect(slept).rejects.toThrow(/CONNECTION/);
    await inside.promise;
    expect(await sql`select count(*)::int as n from notes where writer = 8`).toEqual([{ n: 0 }]);
    await disconnected;
    await sleeper.end();
  });

  it("keeps a client whose message arrived while the server could not read it", async () => {
    const client = connect(socketPath);
    const answerTo = async (message: Uint8Array) => {
      client.write(message);
      return String(await once(client, "data"));
    };
    await answerTo(STARTUP_MESSAGE);
    await answerTo(queryMessage("begin"));
    await answerTo(queryMessage("select 1"));
    const answer = answerTo(queryMessage("select 'still here'"));
    // blocks the event loop for longer than the limit
    const until = performance.now() + 1600;
    while (performance.now() < until);
    expect(await answer).toContain("still here");
    client.destroy();
  });

  it("parses a named statement once, and forgets it when its client leaves", async () => {
    const statements = () => sql`
      select statement, generic_plans + custom_plans as runs from pg_prepared_statements
      where statement like 'select $1%'`;
    const client = postgres({ ...options, max: 1, prepare: true });
    const texts = withNamedStatements(client);
    const query = "select $1::int as n";
    for (const n of [1, 2]) expect(await texts.unsafe(query, [n])).toEqual([{ n }]);
    await texts.begin(async (tx) => {
      await tx.unsafe(query, [3]);
      await tx.savepoint((inner) => inner.unsafe(query, [4]));
    });
    await expect(texts.unsafe("select $1::nothing", [5])).rejects.toThrow("does not exist");
    expect(await statements()).toEqual([{ statement: query, runs: "4" }]);
    await client.end();
    await expect.poll(statements).toEqual([]);
  });

  it("keeps a limited number of named statements, and none of many parameters or much text", async () => {
    const client = postgres({ ...options, max: 1, prepare: true });
    const texts = withNamedStatements(client);
    const many = Array.from({ length: 41 }, (_, n) => n);
    await texts.unsafe(`select ${many.map((n) => `$${n + 1}::int`)}`, many);
    await texts.unsafe(`select $1::int as "limited" -- ${"x".repeat(8_000)}`, [1]);
    for (let n = 0; n < 310; n++) await texts.unsafe(`select $1::int as limited${n}`, [n]);
    const [kept] = await sql`
      select count(*)::int as count, max(length(statement)) as longest from pg_prepared_statements
      where statement like 'select $1%'`;
    expect(kept).toEqual({ count: 300, longest: "select $1::int as limited299".length });
    await client.end();
  });

  it("creates its socket again when it is removed, private to its user", async () => {
    const working = postgres({ ...options, max: 1 });
    await working`select 1`;
    rmSync(socketPath);
    await expect.poll(() => existsSync(socketPath), { timeout: 30_000 }).toBe(true);
    const newcomer = postgres({ ...options, max: 1 });
    expect(await newcomer`select 1 as one`).toEqual([{ one: 1 }]);
    expect(await working`select 2 as two`).toEqual([{ two: 2 }]);
    expect(statSync(socketPath).mode & 0o077).toBe(0);
    await Promise.all([working.end(), newcomer.end()]);
  });

  it("disconnects a client that does not speak the protocol", async () => {
    const stranger = connect(socketPath);
    stranger.write("GET / HTTP/1.1\r\n\r\n");
    await once(stranger, "close");
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  });
});
