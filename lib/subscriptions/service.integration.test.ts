import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import { createCompany } from "../companies/service.ts";
import { auditLog, subscriptionHistory, subscriptions } from "../db/schema/index.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import { DAY_MS } from "../durations.ts";
import { testDatabase } from "../testing/database.ts";
import {
  cancelSubscription,
  changePlan,
  getSubscription,
  listSubscriptionHistory,
  resumeSubscription,
  setSubscription,
} from "./service.ts";

const database = testDatabase();
let scope: TenantScope;

beforeEach(async () => {
  scope = tenantScope((await createCompany(CLI_ACTOR, { name: "Subscribed" })).id);
});

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

async function auditActions() {
  const rows = await database.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.companyId, scope.companyId))
    .orderBy(auditLog.createdAt);
  return rows.map(({ action }) => action);
}

test("a new company is served, without an end", async () => {
  expect(await getSubscription(scope, SYSTEM_ACTOR)).toMatchObject({
    status: "ACTIVE",
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    state: { served: true, until: null },
    planDetails: { requestsPerMonth: null },
  });
});

test("setting a subscription replaces status and end, and clears the cancellation", async () => {
  await setSubscription(scope, CLI_ACTOR, { status: "ACTIVE", currentPeriodEnd: inDays(30) });
  await cancelSubscription(scope, CLI_ACTOR, { at: "period_end" });
  expect(await setSubscription(scope, CLI_ACTOR, { status: "TRIALING", currentPeriodEnd: "2999-01-31" })).toMatchObject(
    {
      status: "TRIALING",
      currentPeriodEnd: new Date("2999-01-31T00:00:00Z"),
      cancelAtPeriodEnd: false,
    },
  );
  expect(await setSubscription(scope, CLI_ACTOR, { status: "ACTIVE" })).toMatchObject({ currentPeriodEnd: null });
  const past = await setSubscription(scope, CLI_ACTOR, { status: "ACTIVE", currentPeriodEnd: inDays(-1) });
  expect(past.state).toMatchObject({ status: "EXPIRED", served: false });
});

test("the error for an unknown status names those to use", async () => {
  const input: { status: "CANCELLED" } = JSON.parse('{"status":"CANCELED"}');
  await expect(setSubscription(scope, CLI_ACTOR, input)).rejects.toMatchObject({
    statusCode: 422,
    message: expect.stringContaining("CANCELLED"),
  });
});

test("refusedSince stays the time of the first refusal, whatever changes or expires later", async () => {
  const since = async () => Number((await getSubscription(scope, SYSTEM_ACTOR)).refusedSince);
  expect((await getSubscription(scope, SYSTEM_ACTOR)).refusedSince).toBeNull();
  await setSubscription(scope, CLI_ACTOR, { status: "UNPAID" });
  const began = await since();
  expect(began).toBeGreaterThan(Date.now() - 60_000);
  await setSubscription(scope, CLI_ACTOR, { status: "PAUSED", currentPeriodEnd: inDays(-3) });
  await setSubscription(scope, CLI_ACTOR, { status: "CANCELLED", currentPeriodEnd: new Date(began + 1) });
  expect(await since()).toBe(began);

  const end = inDays(-2);
  await setSubscription(scope, CLI_ACTOR, { status: "ACTIVE", currentPeriodEnd: end });
  expect(await since()).toBe(Number(end));
  await setSubscription(scope, CLI_ACTOR, { status: "UNPAID" });
  expect(await since()).toBe(Number(end));
});

test("refusedSince is not the time of the last served entry, which has microseconds", async () => {
  await database.db
    .update(subscriptionHistory)
    .set({ createdAt: sql`date_trunc('milliseconds', now()) - interval '30 days' + interval '7 microseconds'` })
    .where(eq(subscriptionHistory.companyId, scope.companyId));
  await setSubscription(scope, CLI_ACTOR, { status: "UNPAID" });
  const { refusedSince } = await getSubscription(scope, SYSTEM_ACTOR);
  expect(Number(refusedSince)).toBeGreaterThan(Number(inDays(-1)));
});

test("past due counts from the first past due status until it is left", async () => {
  const first = await setSubscription(scope, CLI_ACTOR, { status: "PAST_DUE" });
  expect(first.pastDueSince).toBeInstanceOf(Date);
  expect(first.state.served).toBe(true);
  const again = await setSubscription(scope, CLI_ACTOR, { status: "PAST_DUE" });
  expect(again.pastDueSince).toEqual(first.pastDueSince);
  expect((await setSubscription(scope, CLI_ACTOR, { status: "ACTIVE" })).pastDueSince).toBeNull();
});

test("a debt after a cancellation is a new one, and after the end of its period the same one", async () => {
  const owe = async () => {
    await setSubscription(scope, CLI_ACTOR, { status: "PAST_DUE" });
    await database.db
      .update(subscriptions)
      .set({ pastDueSince: inDays(-60) })
      .where(eq(subscriptions.companyId, scope.companyId));
  };
  await owe();
  await cancelSubscription(scope, CLI_ACTOR, { at: "now" });
  const again = await setSubscription(scope, CLI_ACTOR, { status: "PAST_DUE" });
  expect(again.state.served).toBe(true);
  expect(Number(again.pastDueSince)).toBeGreaterThan(Date.now() - 60_000);
  await owe();
  await database.db
    .update(subscriptions)
    .set({ currentPeriodEnd: inDays(-30) })
    .where(eq(subscriptions.companyId, scope.companyId));
  expect((await setSubscription(scope, CLI_ACTOR, { status: "PAST_DUE" })).state.served).toBe(false);
});

test("a change without effect is not recorded, and other changes are described by what differs", async () => {
  const lines = async () => (await listSubscriptionHistory(scope, SYSTEM_ACTOR)).map(({ event }) => event);
  const details = async () => {
    const rows = await database.db.select().from(auditLog).where(eq(auditLog.companyId, scope.companyId));
    return rows.filter(({ action }) => action.startsWith("subscription")).map(({ detail }) => detail);
  };
  await setSubscription(scope, CLI_ACTOR, { status: "ACTIVE" });
  await changePlan(scope, CLI_ACTOR, { plan: "unlimited" });
  expect([await lines(), await details()]).toEqual([["Started"], []]);
  const end = inDays(30).toISOString();
  await setSubscription(scope, CLI_ACTOR, { status: "ACTIVE", currentPeriodEnd: end });
  await changePlan(scope, CLI_ACTOR, { plan: "scale" });
  await cancelSubscription(scope, CLI_ACTOR, { at: "period_end" });
  await setSubscription(scope, CLI_ACTOR, { status: "ACTIVE", currentPeriodEnd: end });
  expect(await lines()).toEqual([
    "Cancellation withdrawn",
    "Cancelled at the end of the period",
    "Plan changed to Scale",
    `Period end set to ${end}`,
    "Started",
  ]);
  expect(await details()).toEqual(
    expect.arrayContaining([
      { periodEnd: { from: null, to: end } },
      { plan: { from: "Unlimited", to: "Scale" } },
      { cancelAtPeriodEnd: { from: false, to: true } },
      { cancelAtPeriodEnd: { from: true, to: false } },
    ]),
  );
});

test("setting a cancelled subscription to cancelled does not withdraw the cancellation", async () => {
  await setSubscription(scope, CLI_ACTOR, { status: "PAST_DUE" });
  await cancelSubscription(scope, CLI_ACTOR, { at: "now" });
  expect((await setSubscription(scope, CLI_ACTOR, { status: "CANCELLED" })).pastDueSince).toBeNull();
  expect((await listSubscriptionHistory(scope, SYSTEM_ACTOR))[0]?.event).toBe("Status set to Cancelled");
});

test("the plan changes, but only to an existing one", async () => {
  expect(await changePlan(scope, CLI_ACTOR, { plan: "growth" })).toMatchObject({
    plan: "growth",
    planDetails: { name: "Growth", requestsPerMonth: 100_000 },
  });
  await expect(changePlan(scope, CLI_ACTOR, { plan: "gold" })).rejects.toMatchObject({ statusCode: 422 });
});

test("history and audit log record every change, but not refused ones", async () => {
  await changePlan(scope, CLI_ACTOR, { plan: "starter" });
  await cancelSubscription(scope, CLI_ACTOR, { at: "now" });
  await cancelSubscription(scope, CLI_ACTOR, { at: "now" }).catch(() => undefined);
  await resumeSubscription(scope, CLI_ACTOR);
  const history = await listSubscriptionHistory(scope, SYSTEM_ACTOR);
  expect(history.map(({ event, status, plan }) => [event, status, plan])).toEqual([
    ["Resumed", "ACTIVE", "starter"],
    ["Cancelled", "CANCELLED", "starter"],
    ["Plan changed to Starter", "ACTIVE", "starter"],
    ["Started", "ACTIVE", "unlimited"],
  ]);
  expect(await auditActions()).toEqual([
    "company.created",
    "subscription.plan_changed",
    "subscription.cancelled",
    "subscription.resumed",
  ]);
});

test("a payment company's provider decides about the result", async () => {
  const provider = { applyChange: async () => ({ cancelAtPeriodEnd: true, currentPeriodEnd: inDays(3) }) };
  const after = await cancelSubscription(scope, CLI_ACTOR, { at: "now" }, provider);
  expect(after).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: true });
});
