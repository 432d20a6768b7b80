import type { CompanyId } from "../db/tenant.ts";
import { addCounts, type CountsByDay, type QueryRecord } from "./day-counts.ts";

/** Requests and counts of one company that are not in the database yet. */
export interface Batch {
  records: QueryRecord[];
  /** Of requests whose rows were given up. */
  counts: CountsByDay;
}

/**
 * Rows of the query log that wait for the database. Beyond its limits it gives up the oldest rows, because the log must
 * not eat the memory, and keeps what they count for.
 */
export interface WaitingRows {
  readonly rows: number;
  /** About what the rows take in memory. */
  readonly bytes: number;
  /** Adds the newest row. */
  add(companyId: CompanyId, record: QueryRecord): void;
  /** Takes everything out. */
  take(): Map<CompanyId, Batch>;
  /** Puts back what could not be written: its rows are older than those that came meanwhile. */
  putBack(companyId: CompanyId, batch: Batch): void;
}

export function createWaitingRows({ rowsMax, bytesMax }: { rowsMax: number; bytesMax: number }): WaitingRows {
  let waiting: { companyId: CompanyId; record: QueryRecord; bytes: number }[] = [];
  let counts = new Map<CompanyId, CountsByDay>();
  let bytes = 0;

  const weighed = (companyId: CompanyId, record: QueryRecord) => ({ companyId, record, bytes: bytesOf(record) });

  function giveUpOldest(): void {
    let given = 0;
    for (const row of waiting) {
      if (waiting.length - given <= rowsMax && bytes <= bytesMax) break;
      counts.set(row.companyId, addCounts(counts.get(row.companyId) ?? new Map(), [row.record]));
      bytes -= row.bytes;
      given++;
    }
    if (given > 0) waiting = waiting.slice(given);
  }

  return {
    get rows() {
      return waiting.length;
    },
    get bytes() {
      return bytes;
    },
    add(companyId, record) {
      const row = weighed(companyId, record);
      waiting.push(row);
      bytes += row.bytes;
      giveUpOldest();
    },
    take() {
      const batches = new Map<CompanyId, Batch>();
      for (const [companyId, days] of counts) batches.set(companyId, { records: [], counts: days });
      for (const { companyId, record } of waiting) {
        const batch = batches.get(companyId) ?? emptyBatch();
        batch.records.push(record);
        batches.set(companyId, batch);
      }
      waiting = [];
      counts = new Map();
      bytes = 0;
      return batches;
    },
    putBack(companyId, batch) {
      const rows = batch.records.map((record) => weighed(companyId, record));
      waiting = [...rows, ...waiting];
      bytes += rows.reduce((sum, row) => sum + row.bytes, 0);
      counts.set(companyId, merged(counts.get(companyId), batch.counts));
      giveUpOldest();
    },
  };
}

function emptyBatch(): Batch {
  return { records: [], counts: new Map() };
}

function merged(a: CountsByDay = new Map(), b: CountsByDay = new Map()): CountsByDay {
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

/** Objects, numbers and ids of a row, and of each of its results. */
const ROW_BYTES = 1_000;
const RESULT_BYTES = 600;

function bytesOf({ queryText, request, results, error }: QueryRecord): number {
  const texts = (queryText?.length ?? 0) + (error?.length ?? 0) + (request ? JSON.stringify(request).length : 0);
  const found = (results ?? []).reduce((sum, { title = "", sourceId = "" }) => sum + title.length + sourceId.length, 0);
  return ROW_BYTES + 2 * (texts + found) + RESULT_BYTES * (results?.length ?? 0);
}
