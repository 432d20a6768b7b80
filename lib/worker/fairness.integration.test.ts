import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { and, eq, inArray, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { jobs, sources } from "../db/schema/index.ts";
import { claimStatement } from "../db/system/jobs.ts";
import type { TenantScope } from "../db/tenant.ts";
import { DAY_MS } from "../durations.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { claimJobs, LEASE_SECONDS, requeueJobsOfDeadWorker } from "../jobs/queue.ts";
import { enqueuePurges } from "../knowledge/ingest/clean-up.ts";
import { addSources } from "../knowledge/intake/add.ts";
import { sourceInput } from "../knowledge/intake/source-input.ts";
import { deleteSources } from "../knowledge/service.ts";
import { testDatabase } from "../testing/database.ts";
import { document, newCompany, work } from "../testing/knowledge.ts";
import { runWorker } from "./worker.ts";

const { db } = testDatabase();
let busy: TenantScope;
let other: TenantScope;
beforeEach(async () => {
  [busy, other] = [await newCompany(), await newCompany()];
});
afterEach(async () => {
  await db.delete(jobs).where(inArray(jobs.companyId, [busy.companyId, other.companyId]));
});

const add = (scope: TenantScope, ...texts: string[]) =>
  addSources(
    scope,
    SYSTEM_ACTOR,
    texts.map((text, i) => sourceInput.parse(document(`s${i}`, text))),
  );

async function lastFinish({ companyId }: TenantScope): Promise<number> {
  const rows = await db.select({ at: jobs.finishedAt }).from(jobs).where(eq(jobs.companyId, companyId));
  return Math.max(...rows.map(({ at }) => at?.getTime() ?? Number.POSITIVE_INFINITY));
}

test("a company with 10,000 jobs has few of them claimed before the next company's turn", async () => {
  await db.execute(sql`
    insert into ragstone.jobs (company_id, kind, subject_id)
    select ${busy.companyId}::uuid, 'ingest', gen_random_uuid() from generate_series(1, 10000)`);
  await add(other, "One line.");
  // companies of other tests may have turns too
  let busyTurns = 0;
  for (let after: string | null = null; after !== other.companyId; ) {
    const claim = await claimJobs("quick", { after });
    if (!claim) throw new Error("the other company was not claimed");
    expect(claim.jobs.length).toBeLessThanOrEqual(64);
    if (claim.companyId === busy.companyId) busyTurns++;
    after = claim.companyId;
    // only the order of the claims matters
    await db.delete(jobs).where(eq(jobs.leaseToken, claim.token));
  }
  expect(busyTurns).toBeLessThanOrEqual(1);
});

test("a claim reads no more of 10,000 queued jobs than it takes, and none of the finished ones", async () => {
  const insert = (state: string) => sql`
    insert into ragstone.jobs (company_id, kind, subject_id, state)
    select ${busy.companyId}::uuid, 'ingest', gen_random_uuid(), ${state} from generate_series(1, 10000)`;
  await db.execute(insert("queued"));
  await db.execute(insert("done"));
  await db.execute(sql`analyze ragstone.jobs`);
  const request = { lane: "quick", token: crypto.randomUUID(), owner: null, companyId: null } as const;
  const limits = { leaseSeconds: 20, limit: 64, attemptsTogether: 3, deferredMaxSeconds: 300 };
  const statement = claimStatement({ ...request, ...limits, after: other.companyId });
  const rows = await db.execute<{ "QUERY PLAN": string }>(sql`explain ${statement.getSQL()}`);
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan.match(/(?:Seq|Index|Bitmap)\b.* on jobs.*/g)).toEqual(
    Array(3).fill(expect.stringContaining("Index Scan using jobs_queued")),
  );
  expect(plan).toMatch(/LockRows.*\n *-> +Index Scan using jobs_queued/);
  expect(plan).toMatch(/Tid Scan on jobs/);
});

test("a claim reads none of 1,000 purges that wait for a day, including those of an earlier release", async () => {
  const { companyId } = busy;
  const runAfter = new Date(Date.now() + DAY_MS);
  const purges = Array.from({ length: 1_000 }, () => ({ companyId, kind: "purge" as const, subjectId: randomUUID() }));
  await busy.transaction((tx) =>
    enqueue(
      tx,
      purges.map((job) => ({ ...job, runAfter })),
    ),
  );
  await db.execute(sql`analyze ragstone.jobs`);
  const request = { lane: "slow", token: randomUUID(), owner: null, companyId, after: null } as const;
  const limits = { leaseSeconds: 20, limit: 1, attemptsTogether: 3, deferredMaxSeconds: 300 };
  const statement = claimStatement({ ...request, ...limits });
  const skips = async () => {
    const rows = await db.execute<{ "QUERY PLAN": string }>(sql`explain analyze ${statement.getSQL()}`);
    return rows.some((row) => row["QUERY PLAN"].includes("Rows Removed by Filter"));
  };
  expect(await skips()).toBe(false);
  await db.update(jobs).set({ lane: "slow" }).where(eq(jobs.companyId, companyId));
  expect(await skips()).toBe(true);
  const migration = readFileSync("drizzle/migrations/0027_waiting_lane.sql", "utf8");
  await db.execute(sql.raw(migration.split("--> statement-breakpoint")[0] ?? ""));
  expect(await skips()).toBe(false);
});

const paragraphs = (count: number, of: string) =>
  Array.from({ length: count }, (_, i) => `# Part ${i}\n\nPart ${i} of ${of} is about topic ${i}.`).join("\n\n");

test("a short text is searchable long before another company's large import", async () => {
  await add(busy, paragraphs(400, "the large one"), ...Array.from({ length: 250 }, (_, i) => paragraphs(3, `${i}`)));
  await add(other, "One line.");
  const stop = new AbortController();
  const running = runWorker({ signal: stop.signal });
  try {
    while ((await lastFinish(other)) === Number.POSITIVE_INFINITY) await delay(50);
    expect(await lastFinish(busy)).toBe(Number.POSITIVE_INFINITY);
  } finally {
    stop.abort();
    await running;
  }
}, 120_000);

test("two companies whose claims take longer than a turn get on equally fast", async () => {
  // a claim has at most 64 of them
  const texts = Array.from({ length: 90 }, (_, i) => paragraphs(8, `${i}`));
  for (const scope of [busy, other]) await add(scope, ...texts.map((text) => `${text} For ${scope.companyId}.`));
  const doneOf = async ({ companyId }: TenantScope) =>
    db.$count(jobs, and(eq(jobs.companyId, companyId), eq(jobs.state, "done")));
  const stop = new AbortController();
  const running = runWorker({ signal: stop.signal });
  try {
    let done = [0, 0];
    // more than one claim holds, because a fast machine may finish the first one within a turn
    while (Math.max(...done) < 80) {
      await delay(50);
      done = [await doneOf(busy), await doneOf(other)];
    }
    expect(Math.min(...done)).toBeGreaterThan(10);
  } finally {
    stop.abort();
    await running;
  }
}, 120_000);

test("a job that lost its worker is not done beside another one of its lane that did", async () => {
  for (const scope of [busy, other]) await add(scope, "One.", "Two.", "Three.");
  const ours = inArray(jobs.companyId, [busy.companyId, other.companyId]);
  await db.update(jobs).set({ deaths: 1 }).where(ours);
  const stop = new AbortController();
  const running = runWorker({ signal: stop.signal });
  try {
    let mostAtOnce = 0;
    while ((await db.$count(jobs, and(ours, eq(jobs.state, "done")))) < 6) {
      // a busy machine may read one for so long that it moves to the slow lane
      const inQuickLane = and(ours, eq(jobs.state, "running"), eq(jobs.lane, "quick"));
      mostAtOnce = Math.max(mostAtOnce, await db.$count(jobs, inQuickLane));
      await delay(5);
    }
    expect(mostAtOnce).toBe(1);
  } finally {
    stop.abort();
    await running;
  }
}, 60_000);

test("a large source moves to the slow lane and is processed in several turns", async () => {
  const text = Array.from({ length: 450 }, (_, i) => `# Part ${i}\n\nPart ${i} has its own text.`).join("\n\n");
  await add(busy, text);
  await work(busy);
  const [job] = await db.select().from(jobs).where(eq(jobs.companyId, busy.companyId));
  expect(job).toMatchObject({ lane: "slow", state: "done", deaths: 0, progressDone: 450, progressTotal: 450 });
});

test("a worker whose lanes are both busy takes over the jobs of one that died", async () => {
  await add(busy, "Claimed by a worker that died.", "Another.");
  await db
    .update(jobs)
    .set({ state: "running", leaseToken: crypto.randomUUID(), leaseUntil: sql`now() - interval '1 second'` })
    .where(eq(jobs.companyId, busy.companyId));
  const queued = and(eq(jobs.companyId, other.companyId), eq(jobs.state, "queued"));
  let lines = 0;
  // however fast the machine is, both lanes always have jobs
  const fillQuickLane = async () => {
    if ((await db.$count(jobs, and(queued, eq(jobs.lane, "quick")))) > 300) return;
    const more = Array.from({ length: 600 }, () => sourceInput.parse(document(`line${++lines}`, `Line ${lines}.`)));
    await addSources(other, SYSTEM_ACTOR, more);
  };
  await fillQuickLane();
  await db.execute(sql`
    insert into ragstone.jobs (company_id, kind, lane, subject_id)
    select ${other.companyId}::uuid, 'purge', 'slow', gen_random_uuid() from generate_series(1, 10000)`);
  const stop = new AbortController();
  const running = runWorker({ signal: stop.signal });
  try {
    while ((await lastFinish(busy)) === Number.POSITIVE_INFINITY) {
      await fillQuickLane();
      await delay(50);
    }
    const lanes = await db.selectDistinct({ lane: jobs.lane }).from(jobs).where(queued);
    expect(lanes.map(({ lane }) => lane).sort()).toEqual(["quick", "slow"]);
  } finally {
    stop.abort();
    await running;
  }
}, 60_000);

test("the successor of a worker that died takes over its jobs immediately", async () => {
  await add(busy, "One.", "Two.");
  const [died, another] = [crypto.randomUUID(), crypto.randomUUID()];
  const claim = await claimJobs("quick", { companyId: busy.companyId, owner: died });
  await requeueJobsOfDeadWorker(another);
  expect(await claimJobs("quick", { companyId: busy.companyId })).toBeNull();
  await requeueJobsOfDeadWorker(died);
  const again = await claimJobs("quick", { companyId: busy.companyId });
  expect(claim?.jobs.map(({ id }) => id)).toContain(again?.jobs[0]?.id);
});

test("no job waits for an hour when the database's clock is set back by an hour", async () => {
  await add(busy, "Claimed by a worker that died.");
  await add(other, "Accepted before the clock was set back.");
  const hour = sql`now() + interval '1 hour'`;
  const held = { state: "running" as const, leaseToken: crypto.randomUUID(), leaseUntil: hour };
  await db.update(jobs).set(held).where(eq(jobs.companyId, busy.companyId));
  await db.update(jobs).set({ runAfter: hour }).where(eq(jobs.companyId, other.companyId));
  for (const { companyId } of [busy, other]) expect(await claimJobs("quick", { companyId })).not.toBeNull();
});

test("the purge of a deleted source waits until the source can no longer be restored", async () => {
  await add(busy, "Deleted by mistake.");
  await work(busy);
  const deleted = await db.select({ id: sources.id }).from(sources).where(eq(sources.companyId, busy.companyId));
  const ids = deleted.map(({ id }) => id);
  await deleteSources(busy, SYSTEM_ACTOR, ids);
  const claim = () => claimJobs("slow", { companyId: busy.companyId });
  expect(await claim()).toBeNull();
  const undoEnded = { deletedAt: sql`now() - interval '25 hours'` };
  await db.update(sources).set(undoEnded).where(eq(sources.companyId, busy.companyId));
  // its own job is enough
  await busy.transaction((tx) => enqueuePurges(tx, busy.companyId));
  await db.update(jobs).set({ runAfter: sql`now()` }).where(eq(jobs.companyId, busy.companyId));
  expect((await claim())?.jobs.map(({ kind, subjectId }) => [kind, subjectId])).toEqual(ids.map((id) => ["purge", id]));
});

test("a lease has its full length by the database's clock", async () => {
  await add(busy, "One.");
  await claimJobs("quick", { companyId: busy.companyId });
  const [row] = await db.execute<{ left: number }>(sql`
    select extract(epoch from lease_until - now())::float8 as left from ragstone.jobs
    where company_id = ${busy.companyId}`);
  expect(row?.left).toBeGreaterThan(LEASE_SECONDS - 5);
  expect(row?.left).toBeLessThanOrEqual(LEASE_SECONDS);
});
