import { describe, expect, it } from "vitest";
import { tenantScope } from "../db/tenant.ts";
import { fc } from "../testing/property.ts";
import { addCounts, type QueryRecord } from "./day-counts.ts";
import { createUnwrittenRows } from "./unwritten-rows.ts";

const companies = [1, 2].map((n) => tenantScope(`00000000-0000-4000-8000-00000000000${n}`).companyId);

function row(values: Partial<QueryRecord> = {}): QueryRecord {
  return {
    id: crypto.randomUUID(),
    at: new Date("2026-11-21T10:00:00Z"),
    origin: "api",
    statusCode: 200,
    total: 1,
    ...values,
  };
}

const record = fc
  .record({
    queryText: fc.string({ maxLength: 300 }),
    statusCode: fc.constantFrom(200, 422),
    origin: fc.constantFrom("api" as const, "playground" as const),
    answered: fc.constantFrom(true, false, null),
    day: fc.constantFrom("2026-11-20", "2026-11-21"),
  })
  .map(({ day, ...values }) => row({ ...values, at: new Date(`${day}T12:00:00Z`) }));

describe("rows that are not in the database yet", () => {
  it("stay within their limits, drop the oldest rows, and keep every count", () => {
    const step = fc.tuple(record, fc.nat(companies.length - 1), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const unwritten = createUnwrittenRows({ rowsMax: 10, bytesMax: 12_000 });
        for (const [given, index, failsNow] of steps) {
          const companyId = companies[index];
          if (companyId) unwritten.add(companyId, given);
          if (failsNow) for (const [id, batch] of unwritten.take()) unwritten.putBack(id, batch);
          expect(unwritten.rows).toBeLessThanOrEqual(10);
          expect(unwritten.bytes).toBeLessThanOrEqual(12_000);
        }
        const batches = unwritten.take();
        for (const [index, companyId] of companies.entries()) {
          const given = steps.filter(([, of]) => of === index).map(([each]) => each);
          const { records, counts } = batches.get(companyId) ?? { records: [], counts: new Map() };
          expect(addCounts(new Map(counts), records)).toEqual(addCounts(new Map(), given));
        }
        expect(unwritten.rows + unwritten.bytes).toBe(0);
      }),
    );
  });

  it("keep as many rows as fit by their text", () => {
    const unwritten = createUnwrittenRows({ rowsMax: 10_000, bytesMax: 1_000_000 });
    const request = { filters: { contentCategory: Array.from({ length: 50 }, () => "x".repeat(200)) } };
    const [companyId] = companies;
    for (let i = 0; i < 1_000; i++)
      if (companyId) unwritten.add(companyId, row({ request, queryText: "x".repeat(8_000) }));
    expect(unwritten.rows).toBeGreaterThan(10);
    expect(unwritten.rows).toBeLessThan(40);
  });
});
