import { expect, test } from "vitest";
import { NONE, sumRequests } from "./sum-requests.ts";

const group = { failed: false, answered: false, unanswered: false, ms: 10, requests: 1 };

test("sums groups by key, and interpolates between the times of successful requests", () => {
  const sums = sumRequests();
  sums.add("a", { ...group, answered: true, requests: 2 });
  sums.add("a", { ...group, ms: 20 });
  sums.add("a", { ...group, ms: 40, unanswered: true });
  sums.add("a", { ...group, failed: true, ms: null, requests: 3 });
  sums.add("b", { ...group, failed: true, ms: null });
  const { p95, ...ofA } = sums.figures().get("a") ?? NONE;
  expect(ofA).toEqual({ requests: 7, errors: 3, answered: 2, unanswered: 1, p50: 15 });
  expect(p95).toBeCloseTo(37);
  expect(sums.figures().get("b")).toEqual({ ...NONE, requests: 1, errors: 1 });
});

test("tells how much memory the different times take", () => {
  const sums = sumRequests();
  for (let ms = 0; ms < 1_000; ms++) sums.add("a", { ...group, ms });
  const before = sums.bytes();
  expect(before).toBeGreaterThan(30_000);
  for (let ms = 0; ms < 1_000; ms++) sums.add("a", { ...group, ms });
  expect(sums.bytes()).toBe(before);
});
