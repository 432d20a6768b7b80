import type { subscriptionHistory } from "../db/schema/index.ts";
import { AppError } from "../errors.ts";
import { monthlyPeriod } from "./period.ts";
import { hasEnded, nextStep, type Subscription, subscriptionState } from "./status.ts";

export type SubscriptionChange =
  | { kind: "cancel"; at: "period_end" | "now" }
  | { kind: "resume" }
  | { kind: "change_plan"; plan: string };

type SubscriptionUpdate = Partial<
  Pick<Subscription, "status" | "plan" | "pastDueSince" | "currentPeriodEnd" | "cancelAtPeriodEnd">
>;

interface ChangeContext {
  subscription: Subscription;
  /** The newest history entry not cancelled, expired, paused or set to end. */
  before: typeof subscriptionHistory.$inferSelect | null;
  now: Date;
}

/**
 * Applies changes that an admin requests. The provider of a payment company calls its API and returns the new state of
 * the subscription.
 */
export interface BillingProvider {
  /** @throws {AppError} Conflict when the change is not possible */
  applyChange(change: SubscriptionChange, context: ChangeContext): Promise<SubscriptionUpdate>;
}

/** Billing without payment: a self-hosted company bills itself, so every requested change is applied. */
export const selfBilling: BillingProvider = {
  async applyChange(change, context) {
    switch (change.kind) {
      case "cancel":
        return change.at === "now" ? cancelNow(context) : cancelAtPeriodEnd(context);
      case "resume":
        return resumedValues(context);
      case "change_plan":
        return changePlan(change.plan, context);
    }
  },
};

function cancelNow({ subscription, now }: ChangeContext): SubscriptionUpdate {
  requireNotEnded(subscription, now);
  // pastDueSince is kept for when the subscription is resumed
  return { status: "CANCELLED", cancelAtPeriodEnd: false };
}

function cancelAtPeriodEnd({ subscription, now }: ChangeContext): SubscriptionUpdate {
  requireNotEnded(subscription, now);
  if (subscription.cancelAtPeriodEnd) throw conflict("The subscription already ends after this billing period.");
  if (!subscriptionState(subscription, now).served) {
    throw conflict("The subscription is not active. Cancel it now instead");
  }
  const end = subscription.currentPeriodEnd ?? monthlyPeriod(subscription.currentPeriodStart, now).end;
  return { cancelAtPeriodEnd: true, currentPeriodEnd: end };
}

const NEW_SUBSCRIPTION = {
  status: "ACTIVE",
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  pastDueSince: null,
} as const;

/**
 * Restores the subscription's previous values. When those have ended, are unknown or were unpaid, it becomes active
 * without an end.
 * @throws {AppError} Conflict
 */
export function resumedValues({ subscription, before, now }: ChangeContext): SubscriptionUpdate {
  const step = nextStep(subscription, now);
  if (!step) throw conflict("The subscription is running: there is nothing to resume");
  const isOver = !before || (before.currentPeriodEnd !== null && before.currentPeriodEnd <= now);
  if (step === "activate" || isOver) return NEW_SUBSCRIPTION;
  return {
    status: before.status,
    currentPeriodEnd: before.currentPeriodEnd,
    cancelAtPeriodEnd: false,
    pastDueSince: before.status === "PAST_DUE" ? (subscription.pastDueSince ?? before.createdAt) : null,
  };
}

function changePlan(plan: string, { subscription, now }: ChangeContext): SubscriptionUpdate {
  requireNotEnded(subscription, now);
  return { plan };
}

function requireNotEnded(subscription: Subscription, now: Date): void {
  if (hasEnded(subscriptionState(subscription, now))) throw conflict("The subscription has ended. Resume it first");
}

function conflict(message: string): AppError {
  return new AppError("Conflict", message);
}
