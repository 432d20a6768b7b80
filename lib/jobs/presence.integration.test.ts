import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { workers } from "../db/schema/index.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany, work } from "../testing/knowledge.ts";
import { runWorker } from "../worker/worker.ts";
import { isWorkerRunning } from "./presence.ts";

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

  it("ends when the worker has not renewed its row for 15 seconds", async () => {
    const seen = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;
    await db.insert(workers).values({ id: randomUUID(), seenAt: seen(-14) });
    expect(await isWorkerRunning()).toBe(true);
    await db.update(workers).set({ seenAt: seen(-16) });
    expect(await isWorkerRunning()).toBe(false);
    // as if the database's clock was set back since then
    await db.update(workers).set({ seenAt: seen(3_600) });
    expect(await isWorkerRunning()).toBe(false);
  });
});
