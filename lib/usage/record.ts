import { type SQL, sql } from "drizzle-orm";
import { insertRows } from "../db/insert-rows.ts";
import { type companies, queryLog } from "../db/schema/index.ts";
import { companyLiteral } from "../db/sql.ts";
import { type CompanyId, tenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { log } from "../log.ts";
import { outageOf } from "../outage/outage.ts";
import { sha256 } from "../sha256.ts";
import { singleton } from "../singleton.ts";
import { addToUsage } from "./add-to-usage.ts";
import { countKnowledgeCall, type KnowledgeCall, writeKnowledgeCalls } from "./count-knowledge-calls.ts";
import { addCounts, type QueryRecord } from "./day-counts.ts";
import { keepReturned, rememberKept } from "./returned-chunks.ts";
import { type Batch, createUnwrittenRows, type UnwrittenRows } from "./unwritten-rows.ts";

export type { QueryRecord } from "./day-counts.ts";

/** Long enough to write many rows together, short enough that the log looks live. */
const FLUSH_AFTER_MS = 1_000;
const RETRY_AFTER_MS = 3_000;
/** Few on the embedded database, which answers nobody else while it inserts them. */
const ROWS_PER_STATEMENT = { embedded: 4, server: 100 };
const LIMITS = { rowsMax: 10_000, bytesMax: 64 * 1024 * 1024 };

interface Pending {
  unwritten: UnwrittenRows;
  timer: NodeJS.Timeout | null;
  writing: Promise<void>;
}

const PENDING = singleton<Pending>("pendingLog", () => ({
  unwritten: createUnwrittenRows(LIMITS),
  timer: null,
  writing: Promise.resolve(),
}));

/** Queues a request for the log. Rows are written in batches a moment later, so the request does not wait. */
export function recordQuery(companyId: CompanyId, record: QueryRecord): void {
  PENDING.get().unwritten.add(companyId, record);
  flushAfter(FLUSH_AFTER_MS);
}

/** Counts a call that adds, lists or changes sources. The count is written with the rows of the log. */
export function recordKnowledgeCall(companyId: string, call: KnowledgeCall): void {
  countKnowledgeCall(tenantScope(companyId).companyId, call);
  flushAfter(FLUSH_AFTER_MS);
}

function flushAfter(ms: number): void {
  PENDING.get().timer ??= setTimeout(() => void flushQueryLog(), ms).unref();
}

/**
 * Writes the queued rows, after the rows being written. Readers of the log call it first, so that people find their
 * latest requests; it is called once more before the process ends. Never throws.
 */
export async function flushQueryLog(): Promise<void> {
  const queue = PENDING.get();
  if (queue.timer) clearTimeout(queue.timer);
  queue.timer = null;
  queue.writing = queue.writing.then(writeUnwritten);
  await queue.writing;
}

async function writeUnwritten(): Promise<void> {
  for (const [companyId, batch] of PENDING.get().unwritten.take()) await writeBatch(companyId, batch);
  if (!(await writeKnowledgeCalls())) flushAfter(RETRY_AFTER_MS);
}

async function writeBatch(companyId: CompanyId, { records, counts }: Batch, rows = rowsPerStatement()): Promise<void> {
  const part = { records: records.slice(0, rows), counts };
  const rest = { records: records.slice(rows), counts: new Map() };
  try {
    const kept = await write(companyId, part);
    rememberKept(companyId, kept);
  } catch (error) {
    const isOutage = outageOf(error) !== null;
    // one by one, only the row that the database rejects is lost
    if (!isOutage && part.records.length > 1) return writeBatch(companyId, { records, counts }, 1);
    log().warn({ err: error, rows: records.length }, "the query log could not be written");
    const { unwritten } = PENDING.get();
    if (isOutage) unwritten.putBack(companyId, { records, counts });
    // a row that the database rejects is dropped, and its counts are kept
    else if (part.records.length > 0) {
      unwritten.putBack(companyId, { records: rest.records, counts: addCounts(counts, part.records) });
    }
    flushAfter(RETRY_AFTER_MS);
    return;
  }
  if (rest.records.length > 0) await writeBatch(companyId, rest, rows);
}

function rowsPerStatement(): number {
  return ROWS_PER_STATEMENT[env().databaseUrl ? "server" : "embedded"];
}

/** @returns the ids of the chunks whose text is now kept */
async function write(companyId: CompanyId, { records, counts }: Batch): Promise<string[]> {
  const scope = tenantScope(companyId);
  // read before, so that the database never gets a question that is to be hashed
  const [[company]] = await scope.read<[Kept]>([keptQuery(companyId)]);
  if (!company) return [];
  const { hashQueries } = company;
  const keepsAnswers = company.keepAnswers && !hashQueries;
  const rows = records.map((record) => ({
    ...record,
    ...storedQuery(record.queryText ?? null, hashQueries),
    ...(!keepsAnswers && { answer: null }),
  }));
  const logged = rows.length > 0 ? { records, insert: insertRows(queryLog, companyId, rows) } : null;
  const kept = await scope.write<{ id: string }>([
    addToUsage(companyId, logged, counts),
    ...(keepsAnswers ? keepReturned(companyId, records) : []),
  ]);
  return kept.map(({ id }) => id);
}

/** What a company keeps of its requests. */
type Kept = Pick<typeof companies.$inferSelect, "hashQueries" | "keepAnswers">;

function keptQuery(companyId: CompanyId): SQL {
  return sql`select hash_queries as "hashQueries", keep_answers as "keepAnswers" from ragstone.companies
    where id = ${companyLiteral(companyId)}`;
}

function storedQuery(queryText: string | null, hashed: boolean) {
  if (queryText === null) return { queryText: null, queryHash: null };
  if (!hashed) return { queryText, queryHash: null };
  return { queryText: null, queryHash: sha256(queryText) };
}
