import { randomUUID } from "node:crypto";
import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { companies, testQuestions, testRuns } from "../db/schema/index.ts";
import type { TestOutcome } from "../db/stored-tests.ts";
import type { TenantScope } from "../db/tenant.ts";
import type { Failure } from "../jobs/failure.ts";
import type { Job } from "../jobs/job.ts";
import { keepPayload, yieldJob } from "../jobs/queue.ts";
import type { Turn } from "../jobs/turn.ts";
import { yieldToSearches } from "../retrieval/search-queue.ts";
import { JUDGED_QUESTIONS_MIN } from "../score-calibration/measure.ts";
import { updateCalibration } from "../score-calibration/service.ts";
import { askTestQuestion, hasPassed } from "./ask-question.ts";
import { chooseCloseness } from "./choose-closeness.ts";
import { isJudged, judgeScores } from "./judge-scores.ts";
import { hasUnfinishedRun } from "./runs.ts";
import { allTestQuestions, type TestQuestion, unchangedSince } from "./service.ts";

const RUNS_KEPT_DAYS = 400;

type TestRun = typeof testRuns.$inferSelect;

/**
 * Asks the test questions of a run, one after the other, until the turn ends. Nothing of it is logged as a request.
 * @returns false when questions are left for the next turn
 */
export async function runTests(job: Job, scope: TenantScope, turn: Turn): Promise<boolean> {
  const run = await runOf(job, scope);
  if (!run || run.finishedAt) return true;
  const questions = await allTestQuestions(scope, SYSTEM_ACTOR);
  const judgesScores = questions.filter(isJudged).length >= JUDGED_QUESTIONS_MIN;
  for (const question of questions) {
    if (question.id in run.outcomes) continue;
    if (turn.hasEnded()) {
      await yieldJob(job);
      return false;
    }
    await yieldToSearches();
    const askedAt = new Date();
    const outcome = await askTestQuestion(scope, question, { signal: turn.signal });
    const judged = judgesScores && isJudged(question) && hasPassed(outcome) !== null;
    const results = judged ? await judgeScores(scope, question, turn.signal) : null;
    await storeOutcome(scope, run, question, { outcome: { ...outcome, ...(results && { judged: results }) }, askedAt });
  }
  await learnFromOutcomes(scope);
  await finish(scope, run.id);
  return true;
}

/**
 * Calculates the closeness of verified answers and the calibration of scores again. Keeps the closeness unless every
 * question was asked, because a question that was not asked may need a higher one. Keeps the calibration when
 * unavailable models leave too few judged questions.
 */
async function learnFromOutcomes(scope: TenantScope): Promise<void> {
  const questions = await allTestQuestions(scope, SYSTEM_ACTOR);
  const wereAllAsked = questions.every(({ outcome }) => outcome && hasPassed(outcome) !== null);
  if (wereAllAsked) await storeCloseness(scope, chooseCloseness(questions));
  const toJudge = questions.filter(isJudged);
  const results = toJudge.flatMap(({ outcome }) => outcome?.judged ?? []);
  const hasTooFewResults = toJudge.length >= JUDGED_QUESTIONS_MIN && results.length < JUDGED_QUESTIONS_MIN;
  if (!hasTooFewResults) await updateCalibration(scope, results);
}

/**
 * The run that a job is for. A job that was scheduled after a change creates its run, unless one is unfinished: if that
 * one started before the change, the next job follows when it ends.
 */
async function runOf(job: Job, scope: TenantScope): Promise<TestRun | null> {
  const { companyId } = scope;
  const id = job.subjectId ?? String(job.payload.runId ?? randomUUID());
  const own = and(eq(testRuns.companyId, companyId), eq(testRuns.id, id));
  // stored first, so that a retry after a crash creates no second run
  if (!job.subjectId) await keepPayload(job, { runId: id });
  return scope.transaction(async (tx) => {
    const expired = lt(testRuns.createdAt, sql`now() - make_interval(days => ${RUNS_KEPT_DAYS})`);
    await tx.delete(testRuns).where(and(eq(testRuns.companyId, companyId), expired));
    const [stored] = await tx.select().from(testRuns).where(own);
    if (stored || (await hasUnfinishedRun(tx, companyId))) return stored ?? null;
    const total = await tx.$count(testQuestions, eq(testQuestions.companyId, companyId));
    const [created] = await tx.insert(testRuns).values({ companyId, id, total }).returning();
    return created ?? null;
  });
}

async function storeOutcome(
  scope: TenantScope,
  run: TestRun,
  { id, updatedAt }: TestQuestion,
  { outcome, askedAt }: { outcome: TestOutcome; askedAt: Date },
): Promise<void> {
  const { companyId } = scope;
  const passed = hasPassed(outcome);
  const now = new Date();
  const asTested = and(
    eq(testQuestions.companyId, companyId),
    eq(testQuestions.id, id),
    // unless the question was edited during the request
    unchangedSince(updatedAt),
  );
  await scope.transaction(async (tx) => {
    await tx
      .update(testQuestions)
      .set({
        ...{ outcome, checkedAt: now, state: passed === null ? "unknown" : passed ? "passed" : "failed" },
        // a change during the request comes after the pass and before the failure
        ...(passed === true && { passedAt: askedAt, failedAt: null }),
        ...(passed === false && { failedAt: sql`coalesce(${testQuestions.failedAt}, ${now.toISOString()})` }),
      })
      .where(asTested);
    const outcomes = sql`${testRuns.outcomes} || ${JSON.stringify({ [id]: passed })}::jsonb`;
    await tx
      .update(testRuns)
      .set({ outcomes })
      .where(and(eq(testRuns.companyId, companyId), eq(testRuns.id, run.id)));
  });
}

async function finish(scope: TenantScope, id: string): Promise<void> {
  const own = and(eq(testRuns.companyId, scope.companyId), eq(testRuns.id, id));
  const having = (passed: boolean) =>
    sql`(select count(*)::int from jsonb_each(${testRuns.outcomes}) where value = ${String(passed)}::jsonb)`;
  await scope.transaction((tx) =>
    tx
      .update(testRuns)
      .set({
        finishedAt: sql`now()`,
        total: sql`(select count(*)::int from jsonb_object_keys(${testRuns.outcomes}))`,
        passed: having(true),
        failed: having(false),
      })
      .where(own),
  );
}

/** Stores the closeness from which the company's verified answers are returned. */
async function storeCloseness(scope: TenantScope, verifiedCloseness: number | null): Promise<void> {
  await scope.transaction((tx) =>
    tx.update(companies).set({ verifiedCloseness }).where(eq(companies.id, scope.companyId)),
  );
}

/** A run whose job failed for good is over, so that nobody waits for it. */
export async function failTestRun(tx: Transaction, job: Job, { shown }: Failure): Promise<void> {
  const id = job.subjectId ?? job.payload.runId;
  if (typeof id !== "string") return;
  await tx
    .update(testRuns)
    .set({ finishedAt: sql`now()`, error: shown })
    .where(and(eq(testRuns.companyId, job.companyId), eq(testRuns.id, id), isNull(testRuns.finishedAt)));
}
