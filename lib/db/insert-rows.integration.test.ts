import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { insertRows } from "./insert-rows.ts";
import { queryLog } from "./schema/index.ts";
import { tenantScope } from "./tenant.ts";

const database = testDatabase();

const row = {
  id: randomUUID(),
  at: new Date("2026-01-02T03:04:05.678Z"),
  origin: "api",
  queryText: `It's "quoted" \\ $1 \u{1F4A1} {a,b}`,
  request: { limit: 5, note: `'\\"` },
  degraded: ["embedding", `a "b", {c}`],
  statusCode: 200,
} as const;

it("stores texts, lists, objects, times and defaults as they are given", async () => {
  const { companyId, write } = await newCompany();
  await write([insertRows(queryLog, companyId, [{ ...row, degraded: [...row.degraded] }])]);
  const [stored] = await database.db.select().from(queryLog).where(eq(queryLog.companyId, companyId));
  expect(stored).toMatchObject({ ...row, companyId, results: [], total: 0, answer: null, apiKeyId: null });
});

it("inserts nothing for a company that was deleted", async () => {
  const { companyId, write } = tenantScope(randomUUID());
  await write([insertRows(queryLog, companyId, [{ ...row, degraded: [] }])]);
  expect(await database.db.$count(queryLog, eq(queryLog.companyId, companyId))).toBe(0);
});
