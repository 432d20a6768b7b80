import { type Actor, recordAudit, requireAdmin, requireMembership, requireOperator } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError, notFound, parseInput } from "../errors.ts";
import { monthlyPeriod } from "./period.ts";
import { planById } from "./plans.ts";
import { type BillingProvider, resumed, type SubscriptionChange, selfBilling } from "./provider.ts";
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
import { type Subscription, subscriptionState } from "./status.ts";

export type { HistoryRow } from "./queries.ts";

/** The row with what follows from it: `state`, the plan in words, the month that its allowance counts in. */
export type SubscriptionView = Awaited<ReturnType<typeof toView>>;

/** @throws {AppError} NotFound */
export async function getSubscription(scope: TenantScope, actor: Actor): Promise<SubscriptionView> {
  requireMembership(scope, actor);
  return scope.transaction(async (tx) => toView(tx, scope, found(await selectSubscription(tx, scope.companyId))));
}

/** The first line of the history, in the transaction that makes the company. */
export async function beginHistory(
  tx: Transaction,
  subscription: Parameters<typeof insertHistory>[1],
  actor: Actor,
): Promise<void> {
  await insertHistory(tx, subscription, { event: "Started", actor: actor.name });
}

/** What happened to it, newest first. */
export async function listSubscriptionHistory(scope: TenantScope, actor: Actor, limit = 50): Promise<HistoryRow[]> {
  requireAdmin(scope, actor);
  return scope.transaction((tx) => selectHistory(tx, scope.companyId, limit));
}

/**
 * The operator's way: status and end of the period become what is given, at once, whatever they were.
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
    const pastDueSince = status === "PAST_DUE" ? (subscription.pastDueSince ?? new Date()) : null;
    return {
      values: { status, currentPeriodEnd, cancelAtPeriodEnd: false, pastDueSince },
      verb: "set",
      event: `Set to ${status}${currentPeriodEnd ? ` until ${currentPeriodEnd.toISOString()}` : ""}`,
    };
  });
}

/**
 * `period_end` leaves it running until then; of a subscription without an end that is the end of its running month.
 * @throws {AppError} ValidationError, NotFound; Conflict when it has ended, or is to end already
 */
export async function cancelSubscription(
  scope: TenantScope,
  actor: Actor,
  input: CancelInput,
  provider: BillingProvider = selfBilling,
): Promise<SubscriptionView> {
  const { at } = parseInput(cancelInput, input);
  const event = at === "now" ? "Cancelled" : "Cancelled at the end of the period";
  return ask(scope, actor, provider, { kind: "cancel", at }, { verb: "cancelled", event });
}

/** Undoes a cancellation or a pause. @throws {AppError} NotFound; Conflict when there is nothing to resume */
export async function resumeSubscription(
  scope: TenantScope,
  actor: Actor,
  provider: BillingProvider = selfBilling,
): Promise<SubscriptionView> {
  return ask(scope, actor, provider, { kind: "resume" }, { verb: "resumed", event: "Resumed" });
}

/** What resuming would make of it, for whoever asks before doing it; null when there is nothing to resume. */
export async function previewResume(scope: TenantScope, actor: Actor): Promise<SubscriptionView | null> {
  requireAdmin(scope, actor);
  return scope.snapshot(async (tx) => {
    const subscription = found(await selectSubscription(tx, scope.companyId));
    const before = (await selectUncancelled(tx, scope.companyId)) ?? null;
    try {
      return toView(tx, scope, { ...subscription, ...resumed({ subscription, before, now: new Date() }) });
    } catch (error) {
      if (error instanceof AppError && error.error === "Conflict") return null;
      throw error;
    }
  });
}

/** @throws {AppError} ValidationError, NotFound; Conflict when it has ended */
export async function changePlan(
  scope: TenantScope,
  actor: Actor,
  input: ChangePlanInput,
  provider: BillingProvider = selfBilling,
): Promise<SubscriptionView> {
  const { plan } = parseInput(changePlanInput, input);
  const event = `Plan changed to ${planById(plan).name}`;
  return ask(scope, actor, provider, { kind: "change_plan", plan }, { verb: "plan_changed", event });
}

interface Change {
  values: Partial<Subscription>;
  verb: "set" | "cancelled" | "resumed" | "plan_changed";
  /** The line in the history. */
  event: string;
}

function ask(
  scope: TenantScope,
  actor: Actor,
  provider: BillingProvider,
  wanted: SubscriptionChange,
  words: Pick<Change, "verb" | "event">,
): Promise<SubscriptionView> {
  return change(scope, actor, async (subscription, tx) => {
    const before = (await selectUncancelled(tx, scope.companyId)) ?? null;
    return { values: await provider.carryOut(wanted, { subscription, before, now: new Date() }), ...words };
  });
}

/** Row, history and audit change together or not at all; two changes of one company come one after the other. */
async function change(
  scope: TenantScope,
  actor: Actor,
  decide: (subscription: Subscription, tx: Transaction) => Promise<Change>,
): Promise<SubscriptionView> {
  requireAdmin(scope, actor);
  return scope.transaction(async (tx) => {
    const before = found(await lockSubscription(tx, scope.companyId));
    const { values, verb, event } = await decide(before, tx);
    const after = await updateSubscription(tx, scope.companyId, values);
    await insertHistory(tx, after, { event, actor: actor.name });
    await recordAudit(tx, scope.companyId, actor, {
      action: `subscription.${verb}`,
      target: { type: "subscription", id: scope.companyId, name: planById(after.plan).name },
      detail: { from: before.status, to: after.status, plan: after.plan, currentPeriodEnd: after.currentPeriodEnd },
    });
    return toView(tx, scope, after);
  });
}

async function toView(tx: Transaction, { companyId }: TenantScope, subscription: Subscription) {
  const now = new Date();
  const state = subscriptionState(subscription, now);
  return {
    ...subscription,
    state,
    /** Null while it is served. */
    refusedSince: state.served
      ? null
      : (state.until ?? (await selectRefusedSince(tx, companyId)) ?? subscription.updatedAt),
    planDetails: planById(subscription.plan),
    allowancePeriod: monthlyPeriod(subscription.currentPeriodStart, now),
  };
}

function found(subscription: Subscription | undefined): Subscription {
  if (!subscription) throw notFound("Subscription");
  return subscription;
}
