import { isDeepStrictEqual } from "node:util";
import { isOperator, requireAdmin, requireMembership, requireOperator } from "../audit/permissions.ts";
import { type Actor, recordAudit } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { SUBSCRIPTION_STATUS_LABELS } from "../db/column-values.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { AppError, notFound, parseInput } from "../errors.ts";
import { monthlyPeriod } from "./period.ts";
import { planById } from "./plans.ts";
import { type BillingProvider, resumedValues, type SubscriptionChange, selfBilling } from "./provider.ts";
import {
  type HistoryRow,
  insertHistory,
  lockSubscription,
  selectHistory,
  selectRefusedSince,
  selectSubscription,
  selectUncancelled,
  updateSubscription,
} from "./queries.ts";
import {
  type CancelInput,
  type ChangePlanInput,
  cancelInput,
  changePlanInput,
  type SetSubscriptionInput,
  setSubscriptionInput,
} from "./schema.ts";
import { nextStep, type Subscription, subscriptionState } from "./status.ts";

export type { HistoryRow } from "./queries.ts";

/** The subscription's row with derived values: `state`, the plan's details, the month of its allowance. */
export type SubscriptionView = Awaited<ReturnType<typeof toView>>;

/** @throws {AppError} NotFound */
export async function getSubscription(scope: TenantScope, actor: Actor): Promise<SubscriptionView> {
  requireMembership(scope, actor);
  return scope.transaction(async (tx) =>
    toView(tx, scope, actor, requireFound(await selectSubscription(tx, scope.companyId))),
  );
}

/** Writes the first entry of the history, in the transaction that creates the company. */
export async function beginHistory(
  tx: Transaction,
  subscription: Parameters<typeof insertHistory>[1],
  actor: Actor,
): Promise<void> {
  await insertHistory(tx, subscription, { event: "Started", actor: actor.name });
}

/** The history of the subscription, newest first. */
export async function listSubscriptionHistory(scope: TenantScope, actor: Actor, limit = 50): Promise<HistoryRow[]> {
  requireAdmin(scope, actor);
  return scope.transaction((tx) => selectHistory(tx, scope.companyId, limit));
}

/**
 * Sets status and end of the period, for the operator, whatever they were before.
 * @throws {AppError} ValidationError, NotFound
 */
export async function setSubscription(
  scope: TenantScope,
  actor: Actor,
  input: SetSubscriptionInput,
): Promise<SubscriptionView> {
  requireOperator(actor);
  const { status, currentPeriodEnd = null } = parseInput(setSubscriptionInput, input);
  return change(scope, actor, async (subscription) => {
    const now = new Date();
    // after a cancellation, the row keeps the time of an earlier debt, for when the subscription is resumed
    const isOwed = subscription.status === "PAST_DUE" && subscriptionState(subscription, now).status !== "CANCELLED";
    const owedSince = isOwed ? subscription.pastDueSince : null;
    const pastDueSince = status === "PAST_DUE" ? (owedSince ?? now) : null;
    return {
      values: { status, currentPeriodEnd, cancelAtPeriodEnd: false, pastDueSince },
      verb: "set",
      event: settingEvent,
    };
  });
}

/**
 * Cancels the subscription. With `period_end` it runs until the end of its period or, without an end, of its current
 * month.
 * @throws {AppError} ValidationError, NotFound; Conflict when it has ended, or is set to end already
 */
export async function cancelSubscription(
  scope: TenantScope,
  actor: Actor,
  input: CancelInput,
  provider: BillingProvider = selfBilling,
): Promise<SubscriptionView> {
  const { at } = parseInput(cancelInput, input);
  const event = at === "now" ? "Cancelled" : "Cancelled at the end of the period";
  return requestChange(scope, actor, provider, { kind: "cancel", at }, { verb: "cancelled", event });
}

/**
 * Activates or resumes the subscription, as `nextStep` says.
 * @throws {AppError} NotFound; Conflict when there is nothing to resume
 */
export async function resumeSubscription(
  scope: TenantScope,
  actor: Actor,
  provider: BillingProvider = selfBilling,
): Promise<SubscriptionView> {
  return requestChange(scope, actor, provider, { kind: "resume" }, { verb: "resumed", event: resumptionEvent });
}

/** The subscription as it would be after resuming, to show before confirming; null when the actor cannot resume it. */
export async function previewResume(scope: TenantScope, actor: Actor): Promise<SubscriptionView | null> {
  requireAdmin(scope, actor);
  if (!mayChange(actor)) return null;
  return scope.snapshot(async (tx) => {
    const subscription = requireFound(await selectSubscription(tx, scope.companyId));
    const before = (await selectUncancelled(tx, scope.companyId)) ?? null;
    try {
      return toView(tx, scope, actor, { ...subscription, ...resumedValues({ subscription, before, now: new Date() }) });
    } catch (error) {
      if (error instanceof AppError && error.error === "Conflict") return null;
      throw error;
    }
  });
}

/** @throws {AppError} ValidationError, NotFound; Conflict when the subscription has ended */
export async function changePlan(
  scope: TenantScope,
  actor: Actor,
  input: ChangePlanInput,
  provider: BillingProvider = selfBilling,
): Promise<SubscriptionView> {
  const { plan } = parseInput(changePlanInput, input);
  const event = `Plan changed to ${planById(plan).name}`;
  return requestChange(scope, actor, provider, { kind: "change_plan", plan }, { verb: "plan_changed", event });
}

interface Change {
  values: Partial<Subscription>;
  verb: "set" | "cancelled" | "resumed" | "plan_changed";
  /** The text for the history, from the subscription before and after. */
  event: string | ((before: Subscription, after: Subscription) => string);
}

function resumptionEvent(before: Subscription): string {
  return nextStep(before, new Date()) === "activate" ? "Activated" : "Resumed";
}

function settingEvent(before: Subscription, { status, currentPeriodEnd: end }: Subscription): string {
  if (status === before.status) {
    if (end?.getTime() !== before.currentPeriodEnd?.getTime()) {
      return end ? `Period end set to ${end.toISOString()}` : "Period end removed";
    }
    if (before.cancelAtPeriodEnd) return "Cancellation withdrawn";
  }
  return `Status set to ${SUBSCRIPTION_STATUS_LABELS[status]}${end ? ` until ${end.toISOString()}` : ""}`;
}

/** Whether the actor may change the subscription: the operator may, and admins when self-service is on. */
function mayChange(actor: Actor): boolean {
  return isOperator(actor) || (actor.type === "user" && actor.role === "admin" && env().selfService);
}

function requestChange(
  scope: TenantScope,
  actor: Actor,
  provider: BillingProvider,
  requested: SubscriptionChange,
  labels: Pick<Change, "verb" | "event">,
): Promise<SubscriptionView> {
  requireAdmin(scope, actor);
  if (!mayChange(actor)) {
    throw new AppError("Forbidden", "The operator of this server manages the subscription. Ask them to change it.");
  }
  return change(scope, actor, async (subscription, tx) => {
    const before = (await selectUncancelled(tx, scope.companyId)) ?? null;
    return { values: await provider.applyChange(requested, { subscription, before, now: new Date() }), ...labels };
  });
}

/**
 * Changes row, history and audit log together in one transaction; changes of one company run one after another. A
 * change without effect is not recorded.
 */
async function change(
  scope: TenantScope,
  actor: Actor,
  decide: (subscription: Subscription, tx: Transaction) => Promise<Change>,
): Promise<SubscriptionView> {
  return scope.transaction(async (tx) => {
    const before = requireFound(await lockSubscription(tx, scope.companyId));
    const { values, verb, event } = await decide(before, tx);
    if (isDeepStrictEqual({ ...before, ...values }, before)) return toView(tx, scope, actor, before);
    const after = await updateSubscription(tx, scope.companyId, values);
    const line = typeof event === "string" ? event : event(before, after);
    await insertHistory(tx, after, { event: line, actor: actor.name });
    await recordAudit(tx, scope.companyId, actor, {
      action: `subscription.${verb}`,
      target: { type: "subscription", id: scope.companyId, name: planById(after.plan).name },
      detail: changesOf(before, after),
    });
    return toView(tx, scope, actor, after);
  });
}

/** The differences for the audit log, each as `{from, to}`. */
function changesOf(before: Subscription, after: Subscription) {
  const named = ({ status, plan, currentPeriodEnd, cancelAtPeriodEnd }: Subscription) => ({
    status,
    plan: planById(plan).name,
    periodEnd: currentPeriodEnd?.toISOString() ?? null,
    cancelAtPeriodEnd,
  });
  const old = new Map<string, unknown>(Object.entries(named(before)));
  return Object.fromEntries(
    Object.entries(named(after)).flatMap(([name, to]) =>
      old.get(name) === to ? [] : [[name, { from: old.get(name), to }]],
    ),
  );
}

async function toView(tx: Transaction, { companyId }: TenantScope, actor: Actor, subscription: Subscription) {
  const now = new Date();
  const state = subscriptionState(subscription, now);
  return {
    ...subscription,
    state,
    nextStep: nextStep(subscription, now),
    canChange: mayChange(actor),
    /** Null while the API serves the company. */
    refusedSince: state.served
      ? null
      : (state.until ?? (await selectRefusedSince(tx, companyId)) ?? subscription.updatedAt),
    planDetails: planById(subscription.plan),
    allowancePeriod: monthlyPeriod(subscription.currentPeriodStart, now),
  };
}

function requireFound(subscription: Subscription | undefined): Subscription {
  if (!subscription) throw notFound("Subscription");
  return subscription;
}
