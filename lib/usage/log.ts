import { and, desc, eq, lt, or, type SQL } from "drizzle-orm";
import { distinctNames } from "../api-keys/distinct-names.ts";
import { listKeyChoices } from "../api-keys/service.ts";
import { requireMembership } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { queryLog, users } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { notFound } from "../errors.ts";
import { pageWithin } from "../page.ts";
import { matchesLog } from "./log-conditions.ts";
import { type LogFilter, REQUESTS_PER_PAGE } from "./log-filter.ts";
import { matchingParts, partsOfPage, totalOf } from "./log-parts.ts";
import { flushQueryLog } from "./record.ts";

const EXPORT_BATCH_ROWS = 1_000;

const COLUMNS = {
  id: queryLog.id,
  at: queryLog.at,
  origin: queryLog.origin,
  via: queryLog.via,
  keyId: queryLog.apiKeyId,
  memberName: users.name,
  queryText: queryLog.queryText,
  queryHash: queryLog.queryHash,
  statusCode: queryLog.statusCode,
  error: queryLog.error,
  total: queryLog.total,
  answered: queryLog.answered,
  degraded: queryLog.degraded,
  durationMs: queryLog.durationMs,
};

const joinsMember = eq(users.id, queryLog.userId);

export type LoggedRequest = Awaited<ReturnType<typeof rowsOf>>[number] & {
  /** Null for a deleted key, and for requests without a key. */
  keyName: string | null;
};

/**
 * A page of the log, newest first.
 * @param wanted from 1; a number past the last page means the last page
 */
export async function listRequests(scope: TenantScope, actor: Actor, filter: LogFilter, wanted: number) {
  requireMembership(scope, actor);
  await flushQueryLog();
  const parts = await matchingParts(scope, filter);
  const total = totalOf(parts);
  const { page, ...wantedRows } = pageWithin(wanted, { total, pageSize: REQUESTS_PER_PAGE });
  const rows: Awaited<ReturnType<typeof rowsOf>> = [];
  for (const { condition, ...place } of partsOfPage(parts, wantedRows)) {
    rows.push(...(await scope.transaction((tx) => rowsOf(tx, condition, place))));
  }
  // the total may be from before the newest requests
  const shown = wantedRows.offset + rows.length;
  return { total: Math.max(total, shown), page, rows: rows.map(await keyNamer(scope, actor)) };
}

/**
 * Exports all matching requests in batches, newest first. Each batch continues after the last row, so new requests do
 * not shift it.
 */
export function exportRequests(scope: TenantScope, actor: Actor, filter: LogFilter): AsyncGenerator<LoggedRequest[]> {
  requireMembership(scope, actor);
  return batchesOf(scope, actor, filter);
}

async function* batchesOf(scope: TenantScope, actor: Actor, filter: LogFilter): AsyncGenerator<LoggedRequest[]> {
  await flushQueryLog();
  const withKeyName = await keyNamer(scope, actor);
  // in parts, because no statement may search the texts of a large log
  const parts =
    filter.search.trim() === "" ? [matchesLog(scope.companyId, filter)] : await partsToExport(scope, filter);
  for (const condition of parts) {
    for await (const rows of batchesWithin(scope, condition)) yield rows.map(withKeyName);
  }
}

async function partsToExport(scope: TenantScope, filter: LogFilter): Promise<(SQL | undefined)[]> {
  const parts = await matchingParts(scope, filter);
  return parts.filter(({ matches }) => matches > 0).map(({ condition }) => condition);
}

async function* batchesWithin(scope: TenantScope, condition: SQL | undefined) {
  for (let after: { at: Date; id: string } | undefined; ; ) {
    const older = after && or(lt(queryLog.at, after.at), and(eq(queryLog.at, after.at), lt(queryLog.id, after.id)));
    const rows = await scope.transaction((tx) =>
      rowsOf(tx, and(condition, older), { limit: EXPORT_BATCH_ROWS, offset: 0 }),
    );
    if (rows.length > 0) yield rows;
    after = rows.at(-1);
    if (rows.length < EXPORT_BATCH_ROWS) return;
  }
}

/**
 * Returns everything the log has about a request: settings, results, answer and trace.
 * @throws {AppError} NotFound
 */
export async function getRequest(scope: TenantScope, actor: Actor, id: string) {
  requireMembership(scope, actor);
  await flushQueryLog();
  const { request, results, answer, policy, trace, stages } = queryLog;
  const [row] = await scope.transaction((tx) =>
    tx
      .select({ ...COLUMNS, request, results, answer, policy, trace, stages })
      .from(queryLog)
      .leftJoin(users, joinsMember)
      .where(and(eq(queryLog.companyId, scope.companyId), eq(queryLog.id, id))),
  );
  if (!row) throw notFound("Request");
  return (await keyNamer(scope, actor))(row);
}

/** Returns a function that adds the name of its key to a request. The names are distinct. */
async function keyNamer(scope: TenantScope, actor: Actor) {
  const names = distinctNames(await listKeyChoices(scope, actor));
  return <Row extends { keyId: string | null }>(row: Row) => ({ ...row, keyName: names.get(row.keyId ?? "") ?? null });
}

async function rowsOf(
  tx: Transaction,
  condition: SQL | undefined,
  { limit, offset }: { limit: number; offset: number },
) {
  return tx
    .select(COLUMNS)
    .from(queryLog)
    .leftJoin(users, joinsMember)
    .where(condition)
    .orderBy(desc(queryLog.at), desc(queryLog.id))
    .limit(limit)
    .offset(offset);
}
