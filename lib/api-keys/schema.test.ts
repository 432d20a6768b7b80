import { expect, test } from "vitest";
import { DAY_MS } from "../durations.ts";
import { createKeyInput, rotateKeyInput } from "./schema.ts";

const tomorrow = new Date(Date.now() + DAY_MS);

test.each([
  { name: "a" },
  { name: ` ${"x".repeat(50)} ` },
  { name: "Бот 🤖" },
  { name: "a", expiresAt: null, rateLimitPerMinute: null, policy: null },
  { name: "a", expiresAt: tomorrow },
  { name: "a", expiresAt: tomorrow.toISOString() },
  { name: "a", expiresAt: "2999-01-31" },
  { name: "a", expiresAt: "2999-01-31T10:00:00+02:00" },
  { name: "a", rateLimitPerMinute: 0 },
  { name: "a", policy: { audience: [], answers: false, limit: 5 } },
])("accepts %j", (input) => {
  expect(createKeyInput.safeParse(input).error).toBeUndefined();
});

test.each([
  [{}, "name"],
  [{ name: "  " }, "name"],
  [{ name: "x".repeat(51) }, "name"],
  [{ name: "a", expiresAt: new Date() }, "expiresAt"],
  [{ name: "a", expiresAt: "2020-01-01" }, "expiresAt"],
  [{ name: "a", expiresAt: "tomorrow" }, "expiresAt"],
  [{ name: "a", rateLimitPerMinute: -1 }, "rateLimitPerMinute"],
  [{ name: "a", rateLimitPerMinute: 1.5 }, "rateLimitPerMinute"],
  [{ name: "a", policy: { audiences: ["x"] } }, "policy"],
  [{ name: "a", policy: { sourceTypes: ["web"] } }, "policy.sourceTypes.0"],
  [{ name: "a", policy: { limit: 0 } }, "policy.limit"],
  [{ name: "a", companyId: "9d0ed3a4-7c57-4a4e-9d2b-0f8e3a6c1b55" }, ""],
])("refuses %j", (input, path) => {
  expect(createKeyInput.safeParse(input).error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
});

test("a rotation overlaps for a day by default", () => {
  expect(rotateKeyInput.parse({ id: "x" }).overlap).toBe("24h");
  expect(rotateKeyInput.safeParse({ id: "x", overlap: "2h" }).success).toBe(false);
});
