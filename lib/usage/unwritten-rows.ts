import type { CompanyId } from "../db/tenant.ts";
import { addCounts, type CountsByDay, type QueryRecord } from "./day-counts.ts";

/** Requests and counts of one company that are not in the database yet. */
export interface Batch {
  records: QueryRecord[];
  /** Counts of requests whose rows were dropped. */
  counts: CountsByDay;
}

/**
 * Rows of the query log that are not in the database yet. Beyond its limits it drops the oldest rows, so that the log
 * does not fill the memory, and keeps their counts.
 */
export interface UnwrittenRows {
  readonly rows: number;
  /** Approximate memory of the rows. */
  readonly bytes: number;
  /** Adds the newest row. */
  add(companyId: CompanyId, record: QueryRecord): void;
  /** Removes and returns everything. */
  take(): Map<CompanyId, Batch>;
  /** Puts back rows that could not be written, before the rows that were added in the meantime. */
  putBack(companyId: CompanyId, batch: Batch): void;
}

export function createUnwrittenRows({ rowsMax, bytesMax }: { rowsMax: number; bytesMax: number }): UnwrittenRows {
  let unwritten: { companyId: CompanyId; record: QueryRecord; bytes: number }[] = [];
  let counts = new Map<CompanyId, CountsByDay>();
  let bytes = 0;

  const withBytes = (companyId: CompanyId, record: QueryRecord) => ({ companyId, record, bytes: bytesOf(record) });

  function dropOldest(): void {
    let dropped = 0;
    for (const row of unwritten) {
      if (unwritten.length - dropped <= rowsMax && bytes <= bytesMax) break;
      counts.set(row.companyId, addCounts(counts.get(row.companyId) ?? new Map(), [row.record]));
      bytes -= row.bytes;
      dropped++;
    }
    if (dropped > 0) unwritten = unwritten.slice(dropped);
  }

  return {
    get rows() {
      return unwritten.length;
    },
    get bytes() {
      return bytes;
    },
    add(companyId, record) {
      const row = withBytes(companyId, record);
      unwritten.push(row);
      bytes += row.bytes;
      dropOldest();
    },
    take() {
      const batches = new Map<CompanyId, Batch>();
      for (const [companyId, days] of counts) batches.set(companyId, { records: [], counts: days });
      for (const { companyId, record } of unwritten) {
        const batch = batches.get(companyId) ?? emptyBatch();
        batch.records.push(record);
        batches.set(companyId, batch);
      }
      unwritten = [];
      counts = new Map();
      bytes = 0;
      return batches;
    },
    putBack(companyId, batch) {
      const rows = batch.records.map((record) => withBytes(companyId, record));
      unwritten = [...rows, ...unwritten];
      bytes += rows.reduce((sum, row) => sum + row.bytes, 0);
      counts.set(companyId, mergeCounts(counts.get(companyId), batch.counts));
      dropOldest();
    },
  };
}

function emptyBatch(): Batch {
  return { records: [], counts: new Map() };
}

function mergeCounts(a: CountsByDay = new Map(), b: CountsByDay = new Map()): CountsByDay {
  const sum = new Map(a);
  for (const [day, more] of b) {
    const before = sum.get(day);
    sum.set(day, {
      requests: more.requests + (before?.requests ?? 0),
      errors: more.errors + (before?.errors ?? 0),
      answers: more.answers + (before?.answers ?? 0),
      unanswered: more.unanswered + (before?.unanswered ?? 0),
    });
  }
  return sum;
}

/** Approximate size of the objects, numbers and ids of a row, and of each of its results. */
const ROW_BYTES = 1_000;
const RESULT_BYTES = 900;

function bytesOf({ queryText, request, results, error, answer }: QueryRecord): number {
  const texts =
    (queryText?.length ?? 0) +
    (answer?.length ?? 0) +
    (error?.length ?? 0) +
    (request ? JSON.stringify(request).length : 0);
  const found = (results ?? []).reduce((sum, { title = "", sourceId = "" }) => sum + title.length + sourceId.length, 0);
  return ROW_BYTES + 2 * (texts + found) + RESULT_BYTES * (results?.length ?? 0);
}
