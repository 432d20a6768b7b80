import { beforeAll, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../../testing/knowledge.ts";
import { readAround } from "./read-around.ts";

testDatabase();

let scope: TenantScope;
let chunkId: string;

beforeAll(async () => {
  scope = await newCompany();
  const section = (i: number) =>
    `# Part ${i}\n\nMachine ${i} stands in hall ${i}. ${"It is checked each week. ".repeat(20)}`;
  await addAndIngest(scope, document("long", Array.from({ length: 30 }, (_, i) => section(i)).join("\n\n")));
  const { response } = await ask(scope, { queryText: "Where does machine 15 stand?", limit: 1 });
  chunkId = response.results[0]?.id ?? "";
});

test("returns the part of a long source around the chunk, in reading order", async () => {
  const { text, truncated } = await readAround(scope, SYSTEM_ACTOR, chunkId, 3_000);
  expect(truncated).toBe(true);
  const parts = [...text.matchAll(/Machine (\d+) stands/g)].map(([, part]) => Number(part));
  expect(parts).toContain(15);
  expect(parts.length).toBeGreaterThan(2);
  expect(parts).toEqual(parts.map((_, i) => (parts[0] ?? 0) + i));
  expect(text.length).toBeLessThan(3_300);
});

test("returns the whole source when it fits, and the chunk alone when nothing else does", async () => {
  const whole = await readAround(scope, SYSTEM_ACTOR, chunkId, 100_000);
  expect(whole.truncated).toBe(false);
  expect(whole.text.match(/stands in hall/g)).toHaveLength(30);
  const alone = await readAround(scope, SYSTEM_ACTOR, chunkId, 1);
  expect(alone.text.match(/stands in hall/g)).toHaveLength(1);
});
