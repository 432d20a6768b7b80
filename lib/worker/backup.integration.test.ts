import { and, eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { jobs } from "../db/schema/index.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { runWorker } from "./worker.ts";

const backup = vi.hoisted(() => ({ write: vi.fn<() => Promise<string | null>>() }));
vi.mock("../backup/automatic-backups.ts", async (load) => ({
  ...(await load<typeof import("../backup/automatic-backups.ts")>()),
  dailyBackup: backup.write,
}));

const { db } = testDatabase();

test("other work is scheduled while the daily backup is written", async () => {
  const uptime = vi.spyOn(process, "uptime").mockReturnValue(3_600);
  onTestFinished(() => uptime.mockRestore());
  const written = Promise.withResolvers<null>();
  backup.write.mockReturnValue(written.promise);
  const { companyId } = await newCompany();
  const hourly = and(eq(jobs.companyId, companyId), eq(jobs.kind, "maintain"));
  const stop = new AbortController();
  const running = runWorker({ signal: stop.signal, companyId });
  try {
    await expect.poll(() => db.$count(jobs, hourly), { timeout: 40_000 }).toBe(1);
    expect(backup.write).toHaveBeenCalledTimes(1);
  } finally {
    stop.abort();
    written.resolve(null);
    await running;
  }
});
