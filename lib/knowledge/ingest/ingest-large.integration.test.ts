import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { jobs } from "../../db/schema/index.ts";
import { claimJobs } from "../../jobs/queue.ts";
import { testDatabase } from "../../testing/database.ts";
import { document, newCompany } from "../../testing/knowledge.ts";
import { addSources } from "../intake/add.ts";
import { sourceInput } from "../intake/source-input.ts";
import { INGEST } from "./ingest.ts";

const { db } = testDatabase();

it("an outage that a large source waited out has ended once chunks are embedded, and not before", async () => {
  const scope = await newCompany();
  const { companyId } = scope;
  const parts = Array.from({ length: 150 }, (_, i) => `# Part ${i}\n\nRule ${i} is for guests of group ${i}.`);
  await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(document("large", parts.join("\n\n")))]);
  const ofCompany = eq(jobs.companyId, companyId);
  await db
    .update(jobs)
    .set({ payload: { unavailableSince: 1 } })
    .where(ofCompany);
  const claim = await claimJobs("quick", { companyId });
  if (!claim) throw new Error("no job is due");

  /** Does a turn that has time to embed this many steps. */
  const takeTurn = async (steps: number) => {
    let left = steps;
    await INGEST.run(
      { ...claim, lane: "slow" },
      {
        turn: { signal: new AbortController().signal, hasEnded: () => left-- <= 0 },
        letNextBegin: () => undefined,
        affectsEveryJob: () => true,
        failAttempt: (_job, error) => Promise.reject(error),
      },
    );
    const [job] = await db.select({ payload: jobs.payload, done: jobs.progressDone }).from(jobs).where(ofCompany);
    return job;
  };
  expect(await takeTurn(0)).toMatchObject({ done: 0, payload: { unavailableSince: 1, stored: { chunkCount: 150 } } });
  const after = await takeTurn(1);
  expect(after).toMatchObject({ done: 100, payload: { stored: { chunkCount: 150 } } });
  expect(after?.payload).not.toHaveProperty("unavailableSince");
});
