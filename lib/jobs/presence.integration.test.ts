import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { connect, connection, setConnection } from "../db/client.ts";
import { workers } from "../db/schema/index.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany, work } from "../testing/knowledge.ts";
import { runWorker } from "../worker/worker.ts";
import { announceWorker, isWorkerRunning } from "./presence.ts";

const { db } = testDatabase();

describe("a worker's presence", () => {
  it("is announced while it runs, and not afterwards", async () => {
    const stop = new AbortController();
    const { companyId } = await newCompany();
    const running = runWorker({ signal: stop.signal, companyId });
    await vi.waitFor(async () => expect(await isWorkerRunning()).toBe(true), 30_000);
    stop.abort();
    await running;
    expect(await isWorkerRunning()).toBe(false);
  });

  it("is not announced by a command-line run, which ends when no job is due", async () => {
    await work(await newCompany());
    expect(await isWorkerRunning()).toBe(false);
  });

  it("begins before it works, when it starts during an outage, so that it finds a worker with another model", async () => {
    const [before, unreachable] = [connection(), connect({ url: "postgres://127.0.0.1:1/x" })];
    setConnection(unreachable);
    const presence = await announceWorker(randomUUID(), { untilIdle: false, modelInUse: async () => "ours" });
    const seen = [presence.conflict()];
    const other = { id: randomUUID(), model: "theirs", startedAt: new Date(Date.now() - 60_000) };
    await db.insert(workers).values(other);
    setConnection(before);
    await vi.waitFor(() => {
      seen.push(presence.conflict());
      expect(seen.at(-1)).toContain("Two workers use different embedding models");
    }, 14_000);
    expect(seen).not.toContain(null);
    await Promise.all([presence.withdraw(), unreachable.close()]);
    await db.delete(workers);
  });

  it("ends when the worker has not renewed its row for 15 seconds", async () => {
    const seen = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;
    await db.insert(workers).values({ id: randomUUID() });
    // again if a busy machine takes more than a second
    await vi.waitFor(async () => {
      await db.update(workers).set({ seenAt: seen(-14) });
      expect(await isWorkerRunning()).toBe(true);
    }, 30_000);
    await db.update(workers).set({ seenAt: seen(-16) });
    expect(await isWorkerRunning()).toBe(false);
    // as if the database's clock was set back since then
    await db.update(workers).set({ seenAt: seen(3_600) });
    expect(await isWorkerRunning()).toBe(false);
  });
});
