import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { jobs } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { testDatabase } from "../../testing/database.ts";
import { ask, newCompany, work } from "../../testing/knowledge.ts";
import { runWorker } from "../../worker/worker.ts";
import { addFiles } from "../intake/add.ts";
import { drawLines, makeScannedPdf } from "../parse/scan-fixtures.ts";

testDatabase();

async function jobOf({ transaction }: TenantScope, versionId: string) {
  const [job] = await transaction((tx) => tx.select().from(jobs).where(eq(jobs.subjectId, versionId)));
  return job;
}

test("pages that an interrupted attempt recognised are not recognised again, and are deleted when the source is ready", async () => {
  const scope = await newCompany();
  const pages = ["One", "Two", "Three", "Four", "Five", "Six", "Seven"].map((word) =>
    drawLines([`${word} granite.`], "jpeg"),
  );
  const [added] = await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "scan.pdf", bytes: makeScannedPdf(pages) }]);
  const versionId = added?.versionId ?? "";
  await scope.transaction((tx) => tx.update(jobs).set({ deaths: 2 }).where(eq(jobs.subjectId, versionId)));
  const stop = new AbortController();
  const worker = runWorker({ signal: stop.signal, companyId: scope.companyId });
  // pages that would be lost with the worker do not prove that the scan is harmless
  const reading = await vi.waitFor(async () => {
    const job = await jobOf(scope, versionId);
    expect(job?.progressDone).toBeGreaterThan(0);
    return job;
  }, 50_000);
  expect(reading).toMatchObject({ deaths: 2, payload: {} });
  const keepsPages = async () => expect((await jobOf(scope, versionId))?.payload).toHaveProperty("recognised");
  await vi.waitFor(keepsPages, 50_000);
  stop.abort();
  await worker;
  const interrupted = await jobOf(scope, versionId);
  expect(interrupted).toMatchObject({ state: "queued", deaths: 0, payload: { recognised: { pages: { length: 5 } } } });

  // a word that no page has proves where the text comes from
  const edited = sql`replace(${jobs.payload}::text, 'Two granite', 'Zwei granite')::jsonb`;
  await scope.transaction((tx) => tx.update(jobs).set({ payload: edited }).where(eq(jobs.subjectId, versionId)));
  await work(scope);
  const { response } = await ask(scope, { queryText: "granite" });
  const text = response.results.map(({ payload }) => payload.content).join(" ");
  for (const word of ["One", "Zwei", "Five", "Six", "Seven"]) expect(text).toContain(`${word} granite`);
  expect(await jobOf(scope, versionId)).toMatchObject({ state: "done", payload: {} });
});
