import { describe, expect, it, vi } from "vitest";
import { system } from "../db/system.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany, work } from "../testing/knowledge.ts";
import { workerIsThere } from "./presence.ts";
import { runWorker } from "./worker.ts";

testDatabase();

describe("a worker's presence", () => {
  it("is known while it runs, and not afterwards", async () => {
    const stop = new AbortController();
    const { companyId } = await newCompany();
    const running = runWorker({ signal: stop.signal, companyId });
    await vi.waitFor(async () => expect(await workerIsThere()).toBe(true));
    stop.abort();
    await running;
    expect(await workerIsThere()).toBe(false);
  });

  it("is not claimed by one that only works off what waits", async () => {
    await work(await newCompany());
    expect(await workerIsThere()).toBe(false);
  });

  it("is forgotten when it has said nothing for a while", async () => {
    await system.setMeta("worker_seen_at", Date.now() - 14_000);
    expect(await workerIsThere()).toBe(true);
    await system.setMeta("worker_seen_at", Date.now() - 16_000);
    expect(await workerIsThere()).toBe(false);
    await system.deleteMeta("worker_seen_at");
  });
});
