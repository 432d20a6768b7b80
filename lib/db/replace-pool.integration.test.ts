import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { outageOf } from "../outage/outage.ts";
import { freePort } from "../testing/free-port.ts";
import { vanishingServer } from "../testing/vanishing-server.ts";
import { closeConnection, connect, connection, setConnection } from "./client.ts";
import { isDatabaseUnavailable, watchDatabase, withDatabaseTimeout } from "./database-outage.ts";
import { ping } from "./system/database.ts";

// each test waits for several of them
vi.mock("./timeouts.ts", () => ({
  DATABASE_TIMEOUTS: { firstQueryMs: 1_000, silentMs: 1_600, hangingMs: 8_000, checkEveryMs: 1_000 },
}));

const isInstalled = runScript("check") === 0;

function runScript(...args: string[]) {
  return spawnSync("scripts/test/native-postgres.sh", args, { stdio: "ignore" }).status;
}

/** The first query of one request after another, until it is answered. */
const untilAnswered = () => vi.waitFor(() => withDatabaseTimeout(ping()), { timeout: 20_000, interval: 50 });

describe.runIf(isInstalled)("the pool of a database server", () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof vanishingServer>>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "ragstone-vanishing-"));
    const port = await freePort();
    expect(runScript("start", folder, String(port))).toBe(0);
    server = await vanishingServer(port);
  });
  beforeEach(async () => {
    setConnection(connect({ url: `postgres://postgres@127.0.0.1:${server.port}/postgres` }, 2));
    await untilAnswered();
  });
  afterEach(closeConnection);
  afterAll(() => {
    server.close();
    runScript("stop", folder);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Begins as many transactions, whose server vanishes. */
  async function useAndVanish(transactions: number): Promise<Promise<unknown>[]> {
    const vanished = Promise.withResolvers<void>();
    const { db } = connection();
    const begun = Array.from({ length: transactions }, () => {
      const ready = Promise.withResolvers<void>();
      const done = db.transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        ready.resolve();
        await vanished.promise;
        // with a parameter, which the driver sends in two steps
        await tx.execute(sql`select ${2}::int`);
      });
      return { ready: ready.promise, done };
    });
    for (const { ready } of begun) await ready;
    server.vanish();
    vanished.resolve();
    return begun.map(({ done }) => done);
  }

  it("is replaced when its connections are dead and nothing says so", async () => {
    const old = connection();
    const stuck = Promise.allSettled(await useAndVanish(2));
    await untilAnswered();
    expect(connection().name).not.toBe(old.name);
    // a worker that waited there continues
    for (const outcome of await stuck) {
      expect(outcome.status === "rejected" && isDatabaseUnavailable(outcome.reason)).toBe(true);
    }
  });

  it("is replaced when only some of its connections are dead", async () => {
    const old = connection();
    const [stuck] = (await useAndVanish(1)).map((each) => watchDatabase(each));
    await untilAnswered();
    await expect(stuck).rejects.toSatisfy(isDatabaseUnavailable);
    expect(connection().name).not.toBe(old.name);
  });

  it("is left its transactions, and what waits for them, when it was only busy", async () => {
    const old = connection();
    const sleep = () =>
      old.db.transaction(async (tx) => {
        await tx.execute(sql`select pg_sleep(4.5)`);
        await tx.execute(sql`select 1`);
        return "committed";
      });
    const busy = [sleep(), sleep()];
    const waiting = [sleep(), sleep()];
    await untilAnswered();
    expect(connection().name).not.toBe(old.name);
    expect(await Promise.all([...busy, ...waiting])).toEqual(Array(4).fill("committed"));
    const closed = () => expect(old.db.execute(sql`select 1`)).rejects.toThrow();
    await vi.waitFor(closed, { timeout: 30_000, interval: 1_000 });
    await untilAnswered();
  }, 90_000);

  it("is replaced when its connections still accept no changes and new ones do", async () => {
    const alterDatabase = (change: string) =>
      connection().db.transaction((tx) => tx.execute(sql.raw(`alter database postgres ${change}`)), {
        accessMode: "read write",
      });
    const write = () => connection().sql`create table if not exists accepted ()`;
    const reset = () => alterDatabase("reset default_transaction_read_only");
    await alterDatabase("set default_transaction_read_only = on");
    onTestFinished(async () => void (await reset()));
    await closeConnection();
    setConnection(connect({ url: `postgres://postgres@127.0.0.1:${server.port}/postgres` }, 2));
    const old = connection();
    const refused = () => write().then(String, (error: unknown) => outageOf(error)?.message);
    expect(await refused()).toMatch("accepts no changes");
    await reset();
    await vi.waitFor(async () => expect(await refused()).toBe(""), { timeout: 20_000, interval: 100 });
    expect(connection().name).not.toBe(old.name);
  });

  it("stays while some requests are answered", async () => {
    const old = connection();
    // connecting takes long on a busy machine
    await Promise.all([1, 2].map(() => old.db.execute(sql`select pg_sleep(0.5)`)));
    for (let rounds = 0; rounds < 3; rounds++) {
      const late = old.db.execute(sql`select pg_sleep(1.5)`);
      await expect(withDatabaseTimeout(late)).rejects.toMatchObject({ error: "ServiceUnavailable" });
      await untilAnswered();
      await late;
    }
    expect(connection()).toBe(old);
  });
});
