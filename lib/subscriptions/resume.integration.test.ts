import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import { SUBSCRIPTION_STATUSES, subscriptions } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { DAY_MS } from "../durations.ts";
import { testMember } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import {
  cancelSubscription,
  changePlan,
  getSubscription,
  listSubscriptionHistory,
  previewResume,
  resumeSubscription,
  setSubscription,
} from "./service.ts";

const { db } = testDatabase();
let scope: TenantScope;

beforeEach(async () => {
  scope = await newCompany();
});

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const conflict = { error: "Conflict" };

test("cancelled now, the API refuses immediately; resumed, the subscription is as before", async () => {
  const end = inDays(30);
  await setSubscription(scope, CLI_ACTOR, { status: "TRIALING", currentPeriodEnd: end });
  const cancelled = await cancelSubscription(scope, CLI_ACTOR, { at: "now" });
  expect(cancelled.state).toMatchObject({ status: "CANCELLED", served: false });
  await expect(cancelSubscription(scope, CLI_ACTOR, { at: "now" })).rejects.toMatchObject(conflict);
  await expect(cancelSubscription(scope, CLI_ACTOR, { at: "period_end" })).rejects.toMatchObject(conflict);
  await expect(changePlan(scope, CLI_ACTOR, { plan: "growth" })).rejects.toMatchObject(conflict);
  expect(await resumeSubscription(scope, CLI_ACTOR)).toMatchObject({ status: "TRIALING", currentPeriodEnd: end });
});

test("cancelled at the end of the period, it is served until then and can be resumed", async () => {
  const end = inDays(30);
  await setSubscription(scope, CLI_ACTOR, { status: "ACTIVE", currentPeriodEnd: end });
  const ending = await cancelSubscription(scope, CLI_ACTOR, { at: "period_end" });
  expect(ending).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: true, state: { served: true, until: end } });
  await expect(cancelSubscription(scope, CLI_ACTOR, { at: "period_end" })).rejects.toMatchObject(conflict);
  const resumed = await resumeSubscription(scope, CLI_ACTOR);
  expect(resumed).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: false, currentPeriodEnd: end });
});

test("a subscription without an end ends with its month, and has no end again when resumed", async () => {
  const ending = await cancelSubscription(scope, CLI_ACTOR, { at: "period_end" });
  expect(Number(ending.currentPeriodEnd)).toBeGreaterThan(Number(inDays(27)));
  expect(Number(ending.currentPeriodEnd)).toBeLessThan(Number(inDays(32)));
  expect(ending.state.served).toBe(true);
  expect((await resumeSubscription(scope, CLI_ACTOR)).currentPeriodEnd).toBeNull();
});

test("an expired subscription starts again when it is resumed", async () => {
  await setSubscription(scope, CLI_ACTOR, { status: "ACTIVE", currentPeriodEnd: inDays(-1) });
  const resumed = await resumeSubscription(scope, CLI_ACTOR);
  expect(resumed).toMatchObject({ status: "ACTIVE", currentPeriodEnd: null, state: { served: true } });
});

test("a debt stays, with its age, when the subscription is cancelled and resumed", async () => {
  await setSubscription(scope, CLI_ACTOR, { status: "PAST_DUE" });
  await db
    .update(subscriptions)
    .set({ pastDueSince: inDays(-6) })
    .where(eq(subscriptions.companyId, scope.companyId));
  await cancelSubscription(scope, CLI_ACTOR, { at: "period_end" });
  const resumed = await resumeSubscription(scope, CLI_ACTOR);
  expect(resumed.status).toBe("PAST_DUE");
  expect(Number(resumed.pastDueSince)).toBeLessThan(Number(inDays(-5)));
  await changePlan(scope, CLI_ACTOR, { plan: "scale" });
  await cancelSubscription(scope, CLI_ACTOR, { at: "now" });
  const again = await resumeSubscription(scope, CLI_ACTOR);
  expect(again).toMatchObject({ status: "PAST_DUE", pastDueSince: resumed.pastDueSince });
});

test.each(SUBSCRIPTION_STATUSES)("an admin reactivates a subscription that is %s", async (status) => {
  const { actor } = await testMember(scope, "admin");
  await setSubscription(scope, CLI_ACTOR, { status });
  const { nextStep, canChange } = await getSubscription(scope, actor);
  expect(canChange).toBe(true);
  const preview = await previewResume(scope, actor);
  if (status === "ACTIVE" || status === "TRIALING") {
    expect([nextStep, preview]).toEqual([null, null]);
    await expect(resumeSubscription(scope, actor)).rejects.toMatchObject(conflict);
    return;
  }
  expect(preview).toMatchObject({ status: "ACTIVE", state: { served: true } });
  expect(await resumeSubscription(scope, actor)).toMatchObject({
    ...{ status: "ACTIVE", currentPeriodEnd: null, pastDueSince: null },
    ...{ state: { served: true }, nextStep: null },
  });
  const [last] = await listSubscriptionHistory(scope, actor);
  expect(last?.event).toBe(nextStep === "activate" ? "Activated" : "Resumed");
});

test("an expired trial, and a debt after its grace period, can be reactivated", async () => {
  await setSubscription(scope, CLI_ACTOR, { status: "TRIALING", currentPeriodEnd: inDays(-1) });
  expect((await getSubscription(scope, CLI_ACTOR)).nextStep).toBe("resume");
  await setSubscription(scope, CLI_ACTOR, { status: "PAST_DUE" });
  await db
    .update(subscriptions)
    .set({ pastDueSince: inDays(-9) })
    .where(eq(subscriptions.companyId, scope.companyId));
  expect((await getSubscription(scope, CLI_ACTOR)).state.served).toBe(false);
  expect(await resumeSubscription(scope, CLI_ACTOR)).toMatchObject({ status: "ACTIVE", state: { served: true } });
});

test("a debt after its grace period is activated in one step, even when the subscription was set to end", async () => {
  await setSubscription(scope, CLI_ACTOR, { status: "PAST_DUE", currentPeriodEnd: inDays(30) });
  expect(await cancelSubscription(scope, CLI_ACTOR, { at: "period_end" })).toMatchObject({ nextStep: "resume" });
  await db
    .update(subscriptions)
    .set({ pastDueSince: inDays(-9) })
    .where(eq(subscriptions.companyId, scope.companyId));
  expect((await getSubscription(scope, CLI_ACTOR)).nextStep).toBe("activate");
  expect(await resumeSubscription(scope, CLI_ACTOR)).toMatchObject({ status: "ACTIVE", state: { served: true } });
});

test("a preview of resuming shows the result and changes nothing", async () => {
  const end = inDays(30);
  await setSubscription(scope, CLI_ACTOR, { status: "TRIALING", currentPeriodEnd: end });
  await cancelSubscription(scope, CLI_ACTOR, { at: "now" });
  const preview = await previewResume(scope, SYSTEM_ACTOR);
  expect(preview).toMatchObject({ status: "TRIALING", currentPeriodEnd: end, state: { served: true } });
  expect((await getSubscription(scope, SYSTEM_ACTOR)).status).toBe("CANCELLED");
  expect(await resumeSubscription(scope, CLI_ACTOR)).toMatchObject({ status: preview?.status, currentPeriodEnd: end });
});

test("a running subscription cannot be resumed", async () => {
  expect(await previewResume(scope, SYSTEM_ACTOR)).toBeNull();
  await expect(resumeSubscription(scope, CLI_ACTOR)).rejects.toMatchObject(conflict);
});
