import { isDeepStrictEqual } from "node:util";
import { type Actor, recordAudit, requireAdmin, requireMembership, requireOperator } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
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
import { type Subscription, subscriptionState, wayBack } from "./status.ts";

export type { HistoryRow } from "./queries.ts";

/** The row with what follows from it: `state`, the plan in words, the month that its allowance counts in. */
export type SubscriptionView = Awaited<ReturnType<typeof toView>>;

/** @throws {AppError} NotFound */
export async function getSubscription(scope: TenantScope, actor: Actor): Promise<SubscriptionView> {
  requireMembership(scope, actor);
  return scope.transaction(async (tx) =>
    toView(tx, scope, actor, found(await selectSubscription(tx, scope.companyId))),
  );
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
      event: setting,
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

/** The way back of `wayBack`. @throws {AppError} NotFound; Conflict when there is nothing to resume */
export async function resumeSubscription(
  scope: TenantScope,
  actor: Actor,
  provider: BillingProvider = selfBilling,
): Promise<SubscriptionView> {
  return ask(scope, actor, provider, { kind: "resume" }, { verb: "resumed", event: resumption });
}

/** What resuming would make of it, for whoever asks before doing it; null when there is nothing that the actor may resume. */
export async function previewResume(scope: TenantScope, actor: Actor): Promise<SubscriptionView | null> {
  requireAdmin(scope, actor);
  if (!mayChange(actor)) return null;
  return scope.snapshot(async (tx) => {
    const subscription = found(await selectSubscription(tx, scope.companyId));
    const before = (await selectUncancelled(tx, scope.companyId)) ?? null;
    try {
      return toView(tx, scope, actor, { ...subscription, ...resumed({ subscription, before, now: new Date() }) });
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
  /** The line in the history, from the subscription before and after. */
  event: string | ((before: Subscription, after: Subscription) => string);
}

function resumption(before: Subscription): string {
  return wayBack(before, new Date()) === "activate" ? "Activated" : "Resumed";
}

function setting(before: Subscription, { status, currentPeriodEnd: end }: Subscription): string {
  if (status !== before.status) return `Set to ${status}${end ? ` until ${end.toISOString()}` : ""}`;
  if (end?.getTime() === before.currentPeriodEnd?.getTime()) return "Cancellation withdrawn";
  return end ? `Period end set to ${end.toISOString()}` : "Period end removed";
}

/** Whether the actor decides about the subscription: an operator does, and admins where they serve themselves. */
function mayChange(actor: Actor): boolean {
  return actor.type !== "user" || (actor.role === "admin" && env().selfService);
}

function ask(
  scope: TenantScope,
  actor: Actor,
  provider: BillingProvider,
  wanted: SubscriptionChange,
  words: Pick<Change, "verb" | "event">,
): Promise<SubscriptionView> {
  requireAdmin(scope, actor);
  if (!mayChange(actor)) {
    throw new AppError("Forbidden", "Your provider manages the subscription. Ask them to change it.");
  }
  return change(scope, actor, async (subscription, tx) => {
    const before = (await selectUncancelled(tx, scope.companyId)) ?? null;
    return { values: await provider.carryOut(wanted, { subscription, before, now: new Date() }), ...words };
  });
}

/**
 * Row, history and audit change together or not at all; two changes of one company come one after the other.
 * What leaves everything as it was is written nowhere.
 */
async function change(
  scope: TenantScope,
  actor: Actor,
  decide: (subscription: Subscription, tx: Transaction) => Promise<Change>,
): Promise<SubscriptionView> {
  return scope.transaction(async (tx) => {
    const before = found(await lockSubscription(tx, scope.companyId));
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

/** For the audit log: what differs, as `{from, to}` each. */
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
    wayBack: wayBack(subscription, now),
    canChange: mayChange(actor),
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
