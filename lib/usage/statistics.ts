import { and, count, desc, eq, gte, isNotNull, sql } from "drizzle-orm";
import { auditLog, chunks, queryLog } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";

const TOP = 10;
const LOG_ROWS = 50;
const DAY_MS = 86_400_000;

/** What the query log says of the last `days` days: sums, times, days and questions. */
export async function usageOf(scope: TenantScope, days: number) {
  const since = new Date(Date.now() - days * DAY_MS);
  const own = and(eq(queryLog.companyId, scope.companyId), gte(queryLog.at, since));
  return scope.transaction(async (tx) => {
    const [sums] = await tx
      .select({
        requests: count(),
        errors: sql<number>`count(*) filter (where ${queryLog.statusCode} >= 400)`.mapWith(Number),
        answered: sql<number>`count(*) filter (where ${queryLog.answered})`.mapWith(Number),
        unanswered: sql<number>`count(*) filter (where not ${queryLog.answered})`.mapWith(Number),
        p50: sql<number>`coalesce(percentile_cont(0.5) within group (order by ${queryLog.durationMs}), 0)`.mapWith(
          Number,
        ),
        p95: sql<number>`coalesce(percentile_cont(0.95) within group (order by ${queryLog.durationMs}), 0)`.mapWith(
          Number,
        ),
      })
      .from(queryLog)
      .where(own);
    const day = sql<string>`to_char(${queryLog.at} at time zone 'UTC', 'YYYY-MM-DD')`;
    const byDay = await tx
      .select({
        day,
        requests: count(),
        errors: sql<number>`count(*) filter (where ${queryLog.statusCode} >= 400)`.mapWith(Number),
      })
      .from(queryLog)
      .where(own)
      .groupBy(day)
      .orderBy(day);
    const questions = (unanswered: boolean) =>
      tx
        .select({ question: sql<string>`${queryLog.queryText}`, times: count() })
        .from(queryLog)
        .where(and(own, isNotNull(queryLog.queryText), unanswered ? eq(queryLog.answered, false) : undefined))
        .groupBy(queryLog.queryText)
        .orderBy(desc(count()), queryLog.queryText)
        .limit(TOP);
    return {
      ...(sums ?? { requests: 0, errors: 0, answered: 0, unanswered: 0, p50: 0, p95: 0 }),
      days: everyDay(since, days, byDay),
      topQuestions: await questions(false),
      unansweredQuestions: await questions(true),
    };
  });
}

/** The newest requests, or the one that a customer names by its id. */
export async function listRequests(scope: TenantScope, requestId?: string) {
  const { id, at, origin, queryText, total, durationMs, statusCode, error, answered } = queryLog;
  return scope.transaction((tx) =>
    tx
      .select({ id, at, origin, queryText, total, durationMs, statusCode, error, answered })
      .from(queryLog)
      .where(and(eq(queryLog.companyId, scope.companyId), requestId ? eq(id, requestId) : undefined))
      .orderBy(desc(at), desc(id))
      .limit(LOG_ROWS),
  );
}

/** Who did what, newest first. */
export async function listAudit(scope: TenantScope, limit = 100) {
  const { id, createdAt, actorName, action, targetType, targetName } = auditLog;
  return scope.transaction((tx) =>
    tx
      .select({ id, createdAt, actorName, action, targetType, targetName })
      .from(auditLog)
      .where(eq(auditLog.companyId, scope.companyId))
      .orderBy(desc(createdAt), desc(id))
      .limit(limit),
  );
}

/** How far a company has come: is there knowledge, was something asked, did a system call? */
export async function firstSteps(scope: TenantScope) {
  const { companyId } = scope;
  return scope.transaction(async (tx) => ({
    knowledge: (await tx.$count(chunks, eq(chunks.companyId, companyId))) > 0,
    asked: (await tx.$count(queryLog, and(eq(queryLog.companyId, companyId), eq(queryLog.origin, "playground")))) > 0,
    called: (await tx.$count(queryLog, and(eq(queryLog.companyId, companyId), eq(queryLog.origin, "api")))) > 0,
  }));
}

function everyDay(since: Date, days: number, found: { day: string; requests: number; errors: number }[]) {
  const byDay = new Map(found.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(since.getTime() + (index + 1) * DAY_MS).toISOString().slice(0, 10);
    return byDay.get(day) ?? { day, requests: 0, errors: 0 };
  });
}
