import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tenantScope } from "../db/tenant.ts";
import { addCounts, type QueryRecord } from "./day-counts.ts";
import { createWaitingRows } from "./waiting-rows.ts";

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

describe("rows that wait for the database", () => {
  it("stay within their limits, the newest of them, and lose no count", () => {
    const step = fc.tuple(record, fc.nat(companies.length - 1), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const waiting = createWaitingRows({ rowsMax: 10, bytesMax: 12_000 });
        for (const [given, index, failsNow] of steps) {
          const companyId = companies[index];
          if (companyId) waiting.add(companyId, given);
          if (failsNow) for (const [id, batch] of waiting.take()) waiting.putBack(id, batch);
          expect(waiting.rows).toBeLessThanOrEqual(10);
          expect(waiting.bytes).toBeLessThanOrEqual(12_000);
        }
        const batches = waiting.take();
        for (const [index, companyId] of companies.entries()) {
          const given = steps.filter(([, of]) => of === index).map(([each]) => each);
          const { records, counts } = batches.get(companyId) ?? { records: [], counts: new Map() };
          expect(addCounts(new Map(counts), records)).toEqual(addCounts(new Map(), given));
        }
        expect(waiting.rows + waiting.bytes).toBe(0);
      }),
    );
  });

  it("keep as many as their texts leave room for", () => {
    const waiting = createWaitingRows({ rowsMax: 10_000, bytesMax: 1_000_000 });
    const request = { filters: { contentCategory: Array.from({ length: 50 }, () => "x".repeat(200)) } };
    const [companyId] = companies;
    for (let i = 0; i < 1_000; i++)
      if (companyId) waiting.add(companyId, row({ request, queryText: "x".repeat(8_000) }));
    expect(waiting.rows).toBeGreaterThan(10);
    expect(waiting.rows).toBeLessThan(40);
  });
});
