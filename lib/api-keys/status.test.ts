import { expect, test } from "vitest";
import { isLive, keyStatus } from "./status.ts";

const now = new Date("2026-06-01T12:00:00Z");
const past = new Date("2026-06-01T11:59:59Z");
const future = new Date("2026-06-01T12:00:01Z");
const other = "5c6a0ad7-9a1c-4b7e-8a57-8f6f6f1f2f3e";

test.each([
  ["active", { expiresAt: null, revokedAt: null, replacedById: null }],
  ["active", { expiresAt: future, revokedAt: null, replacedById: null }],
  ["retiring", { expiresAt: future, revokedAt: null, replacedById: other }],
  ["expired", { expiresAt: now, revokedAt: null, replacedById: null }],
  ["expired", { expiresAt: past, revokedAt: null, replacedById: other }],
  ["revoked", { expiresAt: null, revokedAt: now, replacedById: null }],
  ["revoked", { expiresAt: past, revokedAt: past, replacedById: other }],
  // revoked by a process whose clock is ahead
  ["revoked", { expiresAt: future, revokedAt: future, replacedById: null }],
] as const)("%s: %j", (status, key) => {
  expect(keyStatus(key, now)).toBe(status);
  expect(isLive(status)).toBe(status === "active" || status === "retiring");
});
