import { expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES } from "../db/column-values.ts";
import { DAY_MS } from "../durations.ts";
import { describeNextStep, describeUsedUp, lastServed } from "./next-step.ts";
import { nextStep, subscriptionState } from "./status.ts";

const now = new Date("2026-06-01T12:00:00Z");
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);

test.each(SUBSCRIPTION_STATUSES)("%s: says how to reactivate, or whom to ask", (status) => {
  const facts = { status, pastDueSince: now, currentPeriodEnd: null, cancelAtPeriodEnd: false };
  const view = { state: subscriptionState(facts, now), nextStep: nextStep(facts, now) };
  const runs = status === "ACTIVE" || status === "TRIALING";
  expect(describeNextStep({ ...view, canChange: true })).toEqual(
    runs ? null : expect.stringMatching(/^(Activate|Resume) the subscription to /),
  );
  expect(describeNextStep({ ...view, canChange: false })).toMatch(
    runs
      ? "The operator of this server manages the subscription."
      : /^Ask the operator of this server to (activate|resume) the subscription\.$/,
  );
});

test.each(SUBSCRIPTION_STATUSES)("%s: says what to do when the allowance is used up", (status) => {
  const facts = { status, pastDueSince: now, currentPeriodEnd: null, cancelAtPeriodEnd: false };
  const state = subscriptionState(facts, now);
  const meaning = `The allowance is used up.${state.served ? " The API keeps serving requests." : ""}`;
  const says = (advice: string) => (status === "CANCELLED" || status === "EXPIRED" ? meaning : `${meaning} ${advice}`);
  expect(describeUsedUp({ state, canChange: true })).toBe(says("Choose a larger plan."));
  expect(describeUsedUp({ state, canChange: false })).toBe(says("Ask the operator of this server for a larger plan."));
});

test("a scheduled cancellation can be undone", () => {
  const facts = { status: "ACTIVE", pastDueSince: null, currentPeriodEnd: null, cancelAtPeriodEnd: true } as const;
  const view = { state: subscriptionState(facts, now), nextStep: nextStep(facts, now), canChange: true };
  expect(describeNextStep(view)).toBe("Resume the subscription to keep using the API after that.");
});

test("a cancellation of what is past due does not hide the debt", () => {
  const ending = { status: "PAST_DUE", currentPeriodEnd: inDays(20), cancelAtPeriodEnd: true } as const;
  const step = (pastDueSince: Date) => {
    const facts = { ...ending, pastDueSince };
    return describeNextStep({ state: subscriptionState(facts, now), nextStep: nextStep(facts, now), canChange: true });
  };
  expect(step(inDays(-1))).toBe("Resume and then activate the subscription to keep using the API after that.");
  expect(step(inDays(-8))).toBe("Activate the subscription to use the API.");
});

test.each([
  ["the period", "ACTIVE", 20, { until: inDays(20), isOverdue: false }],
  ["the month of the allowance", "ACTIVE", null, { until: inDays(15), isOverdue: false }],
  ["the grace period of a debt", "PAST_DUE", 20, { until: inDays(6), isOverdue: true }],
  ["a period that ends before the grace period", "PAST_DUE", 3, { until: inDays(3), isOverdue: false }],
  ["the grace period, before the month of the allowance", "PAST_DUE", null, { until: inDays(6), isOverdue: true }],
] as const)("cancelled at the end, the subscription is served until the end of %s", (_, status, days, expected) => {
  const currentPeriodEnd = days === null ? null : inDays(days);
  const facts = { status, pastDueSince: inDays(-1), currentPeriodEnd, cancelAtPeriodEnd: false };
  const allowancePeriod = { start: inDays(-15), end: inDays(15) };
  expect(lastServed({ state: subscriptionState(facts, now), currentPeriodEnd, allowancePeriod })).toEqual(expected);
});
