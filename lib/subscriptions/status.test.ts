import { expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES } from "../db/schema/index.ts";
import { DAY_MS } from "../durations.ts";
import { subscriptionState } from "./status.ts";

const now = new Date("2026-06-01T12:00:00Z");
const future = new Date("2026-06-01T12:00:00.001Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
const plain = { pastDueSince: null, currentPeriodEnd: null, cancelAtPeriodEnd: false };

/** The expected result: served, or the value of `subscriptionStatus`. */
const cases = [
  [{ ...plain, status: "ACTIVE" }, "served"],
  [{ ...plain, status: "TRIALING" }, "served"],
  [{ ...plain, status: "PAST_DUE", pastDueSince: now }, "served"],
  [{ ...plain, status: "PAST_DUE", pastDueSince: daysAgo(6.999) }, "served"],
  [{ ...plain, status: "PAST_DUE", pastDueSince: daysAgo(7) }, "PAST_DUE"],
  [{ ...plain, status: "PAST_DUE", pastDueSince: daysAgo(400) }, "PAST_DUE"],
  [{ ...plain, status: "PAST_DUE" }, "PAST_DUE"],
  [{ ...plain, status: "INCOMPLETE" }, "INCOMPLETE"],
  [{ ...plain, status: "UNPAID" }, "UNPAID"],
  [{ ...plain, status: "PAUSED" }, "PAUSED"],
  [{ ...plain, status: "CANCELLED" }, "CANCELLED"],
  [{ ...plain, status: "EXPIRED" }, "EXPIRED"],
  // a period that has not ended changes nothing
  [{ ...plain, status: "ACTIVE", currentPeriodEnd: future }, "served"],
  [{ ...plain, status: "ACTIVE", currentPeriodEnd: future, cancelAtPeriodEnd: true }, "served"],
  [{ ...plain, status: "CANCELLED", currentPeriodEnd: future }, "CANCELLED"],
  [{ ...plain, status: "PAUSED", currentPeriodEnd: future }, "PAUSED"],
  // a period that has ended
  [{ ...plain, status: "ACTIVE", currentPeriodEnd: now }, "EXPIRED"],
  [{ ...plain, status: "ACTIVE", currentPeriodEnd: now, cancelAtPeriodEnd: true }, "CANCELLED"],
  [{ ...plain, status: "TRIALING", currentPeriodEnd: daysAgo(1) }, "EXPIRED"],
  [{ ...plain, status: "TRIALING", currentPeriodEnd: daysAgo(1), cancelAtPeriodEnd: true }, "CANCELLED"],
  [{ ...plain, status: "PAST_DUE", pastDueSince: daysAgo(1), currentPeriodEnd: daysAgo(1) }, "EXPIRED"],
  [{ ...plain, status: "UNPAID", currentPeriodEnd: daysAgo(1) }, "EXPIRED"],
  [{ ...plain, status: "CANCELLED", currentPeriodEnd: daysAgo(1) }, "CANCELLED"],
  [{ ...plain, status: "EXPIRED", currentPeriodEnd: daysAgo(1), cancelAtPeriodEnd: true }, "EXPIRED"],
  // cancelling at the end of the period has no effect without an end
  [{ ...plain, status: "ACTIVE", cancelAtPeriodEnd: true }, "served"],
  [null, "INCOMPLETE"],
] as const;

test.each(cases)("%j: %s", (subscription, expected) => {
  const { served, status } = subscriptionState(subscription, now);
  expect(served ? "served" : status).toBe(expected);
});

test("every status has a result", () => {
  for (const status of SUBSCRIPTION_STATUSES) {
    expect(
      cases.some(([subscription]) => subscription?.status === status),
      status,
    ).toBe(true);
  }
});

test("returns until when the API serves, or since when it refuses", () => {
  const until = (facts: Parameters<typeof subscriptionState>[0]) => subscriptionState(facts, now).until;
  expect(until({ ...plain, status: "ACTIVE" })).toBeNull();
  expect(until({ ...plain, status: "ACTIVE", currentPeriodEnd: future })).toEqual(future);
  expect(until({ ...plain, status: "PAST_DUE", pastDueSince: daysAgo(2) })).toEqual(daysAgo(-5));
  expect(until({ ...plain, status: "PAST_DUE", pastDueSince: daysAgo(2), currentPeriodEnd: future })).toEqual(future);
  expect(until({ ...plain, status: "PAST_DUE", pastDueSince: daysAgo(9) })).toEqual(daysAgo(2));
  expect(until({ ...plain, status: "ACTIVE", currentPeriodEnd: daysAgo(3) })).toEqual(daysAgo(3));
});
