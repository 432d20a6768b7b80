import { randomUUID } from "node:crypto";
import { and, eq, ne, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { connection } from "../db/client.ts";
import { companies, embeddingModels, jobs, workers } from "../db/schema/index.ts";
import { newCompany } from "../testing/knowledge.ts";
import { workerProcesses } from "../testing/worker-process.ts";
import { runWorker } from "./worker.ts";

// the test waits for several of them
vi.mock("../jobs/renewal.ts", () => ({ RENEW_EVERY_MS: 300 }));

// a database without the workers of other tests
workerProcesses();
const patient = { timeout: 60_000, interval: 100 };

test("a worker re-embeds as soon as the worker with another model is gone", { timeout: 200_000 }, async () => {
  const scope = await newCompany();
  const { db } = connection();
  const earlier = { id: randomUUID(), startedAt: new Date(Date.now() - 60_000) };
  const renew = (model: string | null) =>
    db
      .insert(workers)
      .values({ ...earlier, model })
      .onConflictDoUpdate({ target: workers.id, set: { model, seenAt: sql`now()` } });
  const ofKind = (kind: "maintain" | "re-embed") =>
    db.$count(jobs, and(eq(jobs.companyId, scope.companyId), eq(jobs.kind, kind)));

  /** Waits until the worker has renewed its presence three times, and keeps the earlier one present. */
  async function untilRenewed(): Promise<void> {
    const renewals = new Set<number | undefined>();
    await vi.waitFor(async () => {
      await renew("another-model");
      const [own] = await db.select().from(workers).where(ne(workers.id, earlier.id));
      renewals.add(own?.seenAt.getTime());
      expect(renewals.size).toBeGreaterThan(3);
    }, patient);
  }

  const stop = new AbortController();
  await renew(null);
  const running = runWorker({ signal: stop.signal, companyId: scope.companyId });
  try {
    // the model of the earlier worker is not known yet, so this worker starts
    await vi.waitFor(async () => expect(await ofKind("maintain")).toBe(1), patient);
    // after the next renewal but one, the worker knows of the conflict
    await untilRenewed();
    const [model] = await db.insert(embeddingModels).values({ name: randomUUID(), dimensions: 5_000 }).returning();
    await db.update(companies).set({ embeddingModelId: model?.id }).where(eq(companies.id, scope.companyId));
    await untilRenewed();
    expect(await ofKind("re-embed")).toBe(0);
    await db.delete(workers).where(eq(workers.id, earlier.id));
    await vi.waitFor(async () => expect(await ofKind("re-embed")).toBe(1), patient);
  } finally {
    stop.abort();
    await running;
  }
});
