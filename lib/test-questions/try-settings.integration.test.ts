import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { type Actor, CLI_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { DEFAULT_SETTINGS, type RetrievalSettingsForm } from "../retrieval-settings/schema.ts";
import { getRetrievalSettings } from "../retrieval-settings/service.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, document, newCompany } from "../testing/knowledge.ts";
import { addTestQuestions, listTestQuestions } from "./service.ts";
import { listTrials, storeTrial } from "./trials.ts";
import { type TrialPart, trySettings } from "./try-settings.ts";

// read once, when the database is first used
process.env.RATE_LIMIT_PER_MINUTE = "1";
const { db } = testDatabase();

async function tried(scope: TenantScope, proposed: RetrievalSettingsForm): Promise<TrialPart[]> {
  const parts: TrialPart[] = [];
  for await (const part of trySettings(scope, CLI_ACTOR, proposed, new AbortController().signal)) parts.push(part);
  return parts;
}

test("compares saved and proposed settings, names no winner by chance, and changes nothing", async () => {
  const scope = await newCompany();
  await addAndIngest(scope, document("terms.md", "The notice period of every contract is 30 days."));
  await addTestQuestions(scope, CLI_ACTOR, [
    { question: "How long is the notice period?", expectedSource: "terms.md" },
    { question: "Who walked on the moon?", mustRefuse: true },
  ]);
  const proposed = { ...DEFAULT_SETTINGS, scoreThreshold: 1 };
  const parts = await tried(scope, proposed);
  expect(parts.map(({ type }) => type)).toEqual(["progress", "progress", "finished"]);
  expect(parts.at(-1)).toMatchObject({
    trial: {
      ...{ asked: 2, notAsked: 0, passed: { now: 2, proposed: 1 }, winner: null, probability: 1 },
      changes: [{ question: "How long is the notice period?", passes: "now" }],
      names: [["terms.md", expect.stringMatching(/^“.+”$/)]],
    },
  });
  expect(await getRetrievalSettings(scope, CLI_ACTOR)).toEqual(DEFAULT_SETTINGS);
  expect(await listTrials(scope, CLI_ACTOR)).toMatchObject([
    {
      ...{ by: CLI_ACTOR.name, saved: {}, proposed: { scoreThreshold: 1 } },
      outcome: { asked: 2, passed: { now: 2, proposed: 1 }, better: 0, worse: 1, winner: null },
    },
  ]);
  const { counts } = await listTestQuestions(scope, CLI_ACTOR, { state: null, search: "" }, 1);
  expect(counts).toMatchObject({ passed: 0, failed: 0, new: 2 });
});

test("a trial that the database refuses to store is still returned", async () => {
  const scope = await newCompany();
  await addTestQuestions(scope, CLI_ACTOR, [{ question: "Who walked on the moon?", mustRefuse: true }]);
  await db.execute(sql`revoke insert on ragstone.retrieval_trials from ragstone_app`);
  try {
    expect((await tried(scope, DEFAULT_SETTINGS)).at(-1)).toMatchObject({ type: "finished", trial: { asked: 1 } });
  } finally {
    await db.execute(sql`grant insert on ragstone.retrieval_trials to ragstone_app`);
  }
  expect(await listTrials(scope, CLI_ACTOR)).toEqual([]);
});

test("a trial counts against the member's rate limit", async () => {
  const scope = await newCompany();
  const admin: Actor = { type: "user", id: randomUUID(), name: "Ada", companyId: scope.companyId, role: "admin" };
  const first = () => trySettings(scope, admin, DEFAULT_SETTINGS, new AbortController().signal).next();
  await expect(first()).rejects.toMatchObject({ error: "Conflict" });
  await expect(first()).rejects.toMatchObject({ error: "TooManyRequests" });
});

test("the last 20 trials are kept, newest first", async () => {
  const scope = await newCompany();
  for (let asked = 1; asked <= 22; asked += 1) {
    const counts = { asked, passed: { now: 0, proposed: 0 }, better: 0, worse: 0 };
    const outcome = { ...counts, winner: null, probability: 1 };
    await storeTrial(scope, CLI_ACTOR, { saved: {}, proposed: { useRerank: true }, outcome });
  }
  const trials = await listTrials(scope, CLI_ACTOR);
  expect(trials.map(({ outcome }) => outcome.asked)).toEqual(Array.from({ length: 20 }, (_, index) => 22 - index));
});
