import { expect, expectTypeOf, test } from "vitest";
import { type AuditAction, actionWords, detailWords } from "./describe-event.ts";
import type { AuditEvent } from "./record.ts";

test("every action has its text, and an action of another release is shown by its name", () => {
  expectTypeOf<AuditEvent["action"]>().toEqualTypeOf<AuditAction>();
  expectTypeOf<"thing.un_done">().not.toExtend<AuditAction>();
  expectTypeOf<"thing">().not.toExtend<AuditEvent["target"]["type"]>();
  expect(actionWords("api_key.revoked")).toBe("revoked a key");
  expect(actionWords("thing.un_done")).toBe("thing un done");
});

test("changed labels are shown with their previous values", () => {
  const audience = { label: "audience", before: ["internal"], after: ["ai_agent", "copilot"], sources: ["a", "b"] };
  const path = { label: "path", before: ["Staff", "Pay"], after: [], sources: ["c"] };
  expect(detailWords({ labels: [audience, path] })).toEqual([
    "Audience: internal → ai_agent, copilot (2 sources)",
    "c: Path: Staff / Pay → none",
  ]);
  expect(detailWords({ labels: Array.from({ length: 9 }, () => path) })).toHaveLength(6);
  expect(detailWords({ labels: "damaged" })).toEqual([]);
});

test("an event that lists only a part of a very large change says how much it leaves out", () => {
  const category = { label: "contentCategory", before: "general", after: "pay", sources: ["a"], moreSources: 19_999 };
  const metadata = { label: "metadata", before: {}, after: { page: 1 }, sources: ["b"] };
  expect(detailWords({ labels: [category, metadata], moreChanges: 1_200 })).toEqual([
    "Category: general → pay (20,000 sources)",
    'b: Metadata: none → {"page":1}',
    "1,200 more changes not listed in this log",
  ]);
});

test("details are readable: no ids, no empty values, policies expanded", () => {
  const detail = {
    expiresAt: "2027-01-31T12:00:00.000Z",
    rateLimitPerMinute: null,
    replacedById: "7e1f",
    policy: { audience: ["copilot", "ai_agent"], answers: false, path: [] },
    from: "Old name",
  };
  expect(detailWords(detail)).toEqual([
    "from: Old name",
    "expires: 2027-01-31T12:00:00.000Z",
    "audience: copilot, ai_agent",
    "AI answers: no",
  ]);
  expect(detailWords({ to: "ACTIVE", plan: "scale", from: "CANCELLED" })).toEqual(["Cancelled → Active"]);
});

test("the scopes of a key have the names that its page shows", () => {
  expect(detailWords({ scopes: ["retrieve", "of another release"] })).toEqual(["permissions: Ask, of another release"]);
  expect(detailWords({ scopes: { from: ["retrieve", "manage"], to: ["retrieve"] } })).toEqual([
    "permissions: Ask, Manage knowledge → Ask",
  ]);
  expect(detailWords({ audience: ["retrieve"] })).toEqual(["audience: retrieve"]);
});

test("a long list shows its first entries and says how many follow", () => {
  expect(detailWords({ sources: ["a", "b", "c", "d", "e"] })).toEqual(["sources: a, b, c, d, e"]);
  expect(detailWords({ sources: ["a", "b", "c", "d", "e", "f", "g"] })).toEqual(["sources: a, b, c, d, e and 2 more"]);
});

test("a change shows only what differs", () => {
  expect(detailWords({ from: "ACTIVE", to: "ACTIVE", plan: "scale", currentPeriodEnd: null })).toEqual([]);
  const detail = {
    status: { from: "UNPAID", to: "ACTIVE" },
    periodEnd: { from: null, to: "2027-01-31T12:00:00.000Z" },
    expiresAt: { from: null, to: "2027-01-31T12:00:00.000Z" },
    path: { from: ["Help"], to: [] },
    audience: { from: ["copilot"], to: ["copilot"] },
  };
  expect(detailWords({ ...detail, plan: { from: "Starter", to: "Scale" } })).toEqual([
    "plan: Starter → Scale",
    "status: Unpaid → Active",
    "period end: none → 2027-01-31T12:00:00.000Z",
    "expires: never → 2027-01-31T12:00:00.000Z",
    "path: Help → none",
  ]);
});
