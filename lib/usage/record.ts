import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { companies, queryLog, usageDaily } from "../db/schema/index.ts";
import { type CompanyId, tenantScope } from "../db/tenant.ts";
import { log } from "../log.ts";
import { outageOf } from "../outage.ts";

/** Long enough to write many rows at once, short enough that the log looks live. */
const FLUSH_AFTER_MS = 300;
/** When the database is away longer than this many requests, the oldest rows are dropped: the log must not eat the memory. */
const WAITING_MAX = 10_000;
const RETRY_AFTER_MS = 3_000;

/** A request as the query log keeps it: never the context fields. */
export type QueryRecord = Omit<typeof queryLog.$inferInsert, "companyId" | "at" | "queryHash"> & { at: Date };

interface Pending {
  waiting: { companyId: CompanyId; record: QueryRecord }[];
  timer: NodeJS.Timeout | null;
  writing: Promise<void>;
}

// on globalThis, because a bundled server may hold this module more than once
const holder = globalThis as typeof globalThis & { ragstonePendingLog?: Pending };

function pending(): Pending {
  holder.ragstonePendingLog ??= { waiting: [], timer: null, writing: Promise.resolve() };
  return holder.ragstonePendingLog;
}

/** Notes a request off the hot path; rows are written together a moment later. */
export function recordQuery(companyId: CompanyId, record: QueryRecord): void {
  const queue = pending();
  queue.waiting.push({ companyId, record });
  if (queue.waiting.length > WAITING_MAX) queue.waiting.shift();
  flushAfter(FLUSH_AFTER_MS);
}

function flushAfter(ms: number): void {
  pending().timer ??= setTimeout(() => void flushQueryLog(), ms).unref();
}

/**
 * Writes what is waiting, after what is being written: whoever reads the log calls it first, so that a person finds what
 * was asked just before. Called once more before the process ends. Never throws.
 */
export async function flushQueryLog(): Promise<void> {
  const queue = pending();
  if (queue.timer) clearTimeout(queue.timer);
  queue.timer = null;
  queue.writing = queue.writing.then(writeWaiting);
  await queue.writing;
}

async function writeWaiting(): Promise<void> {
  const queue = pending();
  const rows = queue.waiting.splice(0);
  for (const [companyId, group] of Map.groupBy(rows, (row) => row.companyId)) {
    try {
      await tenantScope(companyId).transaction((tx) =>
        write(
          tx,
          companyId,
          group.map(({ record }) => record),
        ),
      );
    } catch (error) {
      log().warn({ err: error, rows: group.length }, "the query log could not be written");
      if (!outageOf(error)) continue;
      queue.waiting = [...group, ...queue.waiting].slice(-WAITING_MAX);
      flushAfter(RETRY_AFTER_MS);
    }
  }
}

async function write(tx: Transaction, companyId: CompanyId, records: QueryRecord[]): Promise<void> {
  const [company] = await tx.select({ hashQueries: companies.hashQueries }).from(companies);
  if (!company) return;
  await tx
    .insert(queryLog)
    .values(
      records.map((record) => ({
        ...record,
        companyId,
        ...storedQuery(record.queryText ?? null, company.hashQueries),
      })),
    )
    .onConflictDoNothing();
  for (const [day, group] of Map.groupBy(records.filter(counts), ({ at }) => at.toISOString().slice(0, 10))) {
    const values = {
      requests: group.length,
      errors: group.filter(({ statusCode }) => statusCode >= 400).length,
      answers: group.filter(({ answered }) => answered === true).length,
      unanswered: group.filter(isUnanswered).length,
    };
    await tx
      .insert(usageDaily)
      .values({ companyId, day, ...values })
      .onConflictDoUpdate({
        target: [usageDaily.companyId, usageDaily.day],
        set: {
          requests: sql`${usageDaily.requests} + ${values.requests}`,
          errors: sql`${usageDaily.errors} + ${values.errors}`,
          answers: sql`${usageDaily.answers} + ${values.answers}`,
          unanswered: sql`${usageDaily.unanswered} + ${values.unanswered}`,
        },
      });
  }
}

/** The allowance of a subscription counts what the API served; trying things out is free. */
function counts({ origin }: QueryRecord): boolean {
  return origin === "api";
}

/** As the log's own figures have it: no passage came up, or those that did held no answer. */
function isUnanswered({ statusCode, total, answered }: QueryRecord): boolean {
  return statusCode < 400 && (total === 0 || answered === false);
}

function storedQuery(queryText: string | null, hashed: boolean) {
  if (queryText === null) return { queryText: null, queryHash: null };
  if (!hashed) return { queryText, queryHash: null };
  return { queryText: null, queryHash: createHash("sha256").update(queryText).digest("hex") };
}
