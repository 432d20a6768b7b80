import { expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES } from "../db/column-values.ts";
import { nextStep } from "./next-step.ts";
import { subscriptionState, wayBack } from "./status.ts";

const now = new Date("2026-06-01T12:00:00Z");

test.each(SUBSCRIPTION_STATUSES)("%s: says how to reactivate, or whom to ask", (status) => {
  const facts = { status, pastDueSince: now, currentPeriodEnd: null, cancelAtPeriodEnd: false };
  const view = { state: subscriptionState(facts, now), wayBack: wayBack(facts, now) };
  const runs = status === "ACTIVE" || status === "TRIALING";
  expect(nextStep({ ...view, canChange: true })).toEqual(
    runs ? null : expect.stringMatching(/^(Activate|Resume) the subscription to /),
  );
  expect(nextStep({ ...view, canChange: false })).toMatch(
    runs ? "Your provider manages the subscription." : /^Ask your provider to (activate|resume) the subscription\.$/,
  );
});

test("a scheduled cancellation can be undone", () => {
  const facts = { status: "ACTIVE", pastDueSince: null, currentPeriodEnd: null, cancelAtPeriodEnd: true } as const;
  const view = { state: subscriptionState(facts, now), wayBack: wayBack(facts, now), canChange: true };
  expect(nextStep(view)).toBe("Resume the subscription to keep using the API after that.");
});
