import { expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES } from "../db/schema/index.ts";
import { DAY_MS } from "../durations.ts";
import { subscriptionState } from "./status.ts";

const now = new Date("2026-06-01T12:00:00Z");
const future = new Date("2026-06-01T12:00:00.001Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
const plain = { pastDueSince: null, currentPeriodEnd: null, cancelAtPeriodEnd: false };

/** What the API does: served, or the value of `subscriptionStatus`. */
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
  // a period that goes on changes nothing
  [{ ...plain, status: "ACTIVE", currentPeriodEnd: future }, "served"],
  [{ ...plain, status: "ACTIVE", currentPeriodEnd: future, cancelAtPeriodEnd: true }, "served"],
  [{ ...plain, status: "CANCELLED", currentPeriodEnd: future }, "CANCELLED"],
  [{ ...plain, status: "PAUSED", currentPeriodEnd: future }, "PAUSED"],
  // a period that is over
  [{ ...plain, status: "ACTIVE", currentPeriodEnd: now }, "EXPIRED"],
  [{ ...plain, status: "ACTIVE", currentPeriodEnd: now, cancelAtPeriodEnd: true }, "CANCELLED"],
  [{ ...plain, status: "TRIALING", currentPeriodEnd: daysAgo(1) }, "EXPIRED"],
  [{ ...plain, status: "TRIALING", currentPeriodEnd: daysAgo(1), cancelAtPeriodEnd: true }, "CANCELLED"],
  [{ ...plain, status: "PAST_DUE", pastDueSince: daysAgo(1), currentPeriodEnd: daysAgo(1) }, "EXPIRED"],
  [{ ...plain, status: "UNPAID", currentPeriodEnd: daysAgo(1) }, "EXPIRED"],
  [{ ...plain, status: "CANCELLED", currentPeriodEnd: daysAgo(1) }, "CANCELLED"],
  [{ ...plain, status: "EXPIRED", currentPeriodEnd: daysAgo(1), cancelAtPeriodEnd: true }, "EXPIRED"],
  // cancelling at an end that there is none of ends nothing
  [{ ...plain, status: "ACTIVE", cancelAtPeriodEnd: true }, "served"],
  [null, "INCOMPLETE"],
] as const;

test.each(cases)("%j: %s", (subscription, expected) => {
  const { served, status } = subscriptionState(subscription, now);
  expect(served ? "served" : status).toBe(expected);
});

test("every status is decided", () => {
  for (const status of SUBSCRIPTION_STATUSES) {
    expect(
      cases.some(([subscription]) => subscription?.status === status),
      status,
    ).toBe(true);
  }
});

test("says until when it is served, or since when it is not", () => {
  const until = (facts: Parameters<typeof subscriptionState>[0]) => subscriptionState(facts, now).until;
  expect(until({ ...plain, status: "ACTIVE" })).toBeNull();
  expect(until({ ...plain, status: "ACTIVE", currentPeriodEnd: future })).toEqual(future);
  expect(until({ ...plain, status: "PAST_DUE", pastDueSince: daysAgo(2) })).toEqual(daysAgo(-5));
  expect(until({ ...plain, status: "PAST_DUE", pastDueSince: daysAgo(2), currentPeriodEnd: future })).toEqual(future);
  expect(until({ ...plain, status: "PAST_DUE", pastDueSince: daysAgo(9) })).toEqual(daysAgo(2));
  expect(until({ ...plain, status: "ACTIVE", currentPeriodEnd: daysAgo(3) })).toEqual(daysAgo(3));
});
