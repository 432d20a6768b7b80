import { and, asc, desc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { requireMembership } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { lockCompany } from "../db/lock-company.ts";
import { testQuestions, testRuns } from "../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { DAY_MS, dayOf } from "../durations.ts";
import { AppError } from "../errors.ts";
import { enqueue } from "../jobs/enqueue.ts";

const DAYS_SHOWN = 30;

/**
 * Starts a run of all test questions, unless one is running.
 * @throws {AppError} Conflict when there are no questions
 */
export async function startTestRun(scope: TenantScope, actor: Actor): Promise<void> {
  requireMembership(scope, actor);
  const { companyId } = scope;
  await scope.transaction(async (tx) => {
    const total = await tx.$count(testQuestions, eq(testQuestions.companyId, companyId));
    if (total === 0) throw new AppError("Conflict", "There are no test questions. Add one first.");
    if (await hasUnfinishedRun(tx, companyId)) return;
    const [run] = await tx
      .insert(testRuns)
      .values({ companyId, total, startedBy: actor.name })
      .returning({ id: testRuns.id });
    if (run) await enqueue(tx, [{ companyId, kind: "test", subjectId: run.id }]);
  });
}

/**
 * Whether a run of the company is unfinished. Ask before storing another: of two that start at the same time, the second
 * waits for the transaction of the first.
 */
export async function hasUnfinishedRun(tx: Transaction, companyId: CompanyId): Promise<boolean> {
  await lockCompany(tx, companyId);
  return (await tx.$count(testRuns, and(eq(testRuns.companyId, companyId), isNull(testRuns.finishedAt)))) > 0;
}

/** Number of the company's test questions. */
export async function countTestQuestions(scope: TenantScope, actor: Actor): Promise<number> {
  requireMembership(scope, actor);
  return scope.transaction((tx) => tx.$count(testQuestions, eq(testQuestions.companyId, scope.companyId)));
}

/** The pass rate of a day's last run, from 0 to 1. */
interface DayRate {
  /** As `2026-11-21`. */
  day: string;
  rate: number | null;
}

/** The current run, the last finished run, and the pass rate of the last 30 days. */
export async function testRunHistory(scope: TenantScope, actor: Actor) {
  requireMembership(scope, actor);
  const { id, createdAt, finishedAt, startedBy, total, passed, failed, error } = testRuns;
  const columns = { id, createdAt, finishedAt, startedBy, total, passed, failed, error };
  const runs = eq(testRuns.companyId, scope.companyId);
  return scope.snapshot(async (tx) => {
    const done = sql<number>`(select count(*)::int from jsonb_object_keys(${testRuns.outcomes}))`;
    const [current] = await tx
      .select({ total, done })
      .from(testRuns)
      .where(and(runs, isNull(finishedAt)))
      .orderBy(desc(createdAt))
      .limit(1);
    const [last] = await tx
      .select(columns)
      .from(testRuns)
      .where(and(runs, isNotNull(finishedAt)))
      .orderBy(desc(createdAt))
      .limit(1);
    const recent = await tx
      .select({ finishedAt, passed, failed })
      .from(testRuns)
      .where(and(runs, isNull(error), gt(finishedAt, sql`now() - make_interval(days => ${DAYS_SHOWN})`)))
      .orderBy(asc(finishedAt));
    return { current: current ?? null, last: last ?? null, days: dayRates(recent, new Date()) };
  });
}

/** @param runs oldest first */
function dayRates(runs: { finishedAt: Date | null; passed: number; failed: number }[], now: Date): DayRate[] {
  const byDay = new Map(
    runs.map(({ finishedAt, passed, failed }) => [
      dayOf(finishedAt ?? now),
      passed + failed === 0 ? null : passed / (passed + failed),
    ]),
  );
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const day = dayOf(new Date(now.getTime() - (DAYS_SHOWN - 1 - index) * DAY_MS));
    return { day, rate: byDay.get(day) ?? null };
  });
}
