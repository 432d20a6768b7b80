import type { subscriptionHistory } from "../db/schema/index.ts";
import { AppError } from "../errors.ts";
import { monthlyPeriod } from "./period.ts";
import { type Subscription, subscriptionState, wayBack } from "./status.ts";

export type SubscriptionChange =
  | { kind: "cancel"; at: "period_end" | "now" }
  | { kind: "resume" }
  | { kind: "change_plan"; plan: string };

export type SubscriptionUpdate = Partial<
  Pick<Subscription, "status" | "plan" | "pastDueSince" | "currentPeriodEnd" | "cancelAtPeriodEnd">
>;

export interface ChangeContext {
  subscription: Subscription;
  /** The newest entry of its history from before it was cancelled or paused. */
  before: typeof subscriptionHistory.$inferSelect | null;
  now: Date;
}

/** Who carries out what an admin asks for. A payment company's one calls it, and answers what it says the subscription now is. */
export interface BillingProvider {
  /** @throws {AppError} Conflict when the change is not possible */
  carryOut(change: SubscriptionChange, context: ChangeContext): Promise<SubscriptionUpdate>;
}

/** Nobody is paid: a self-hosted company is its own biller, so what the admin asks for happens. */
export const selfBilling: BillingProvider = {
  async carryOut(change, context) {
    switch (change.kind) {
      case "cancel":
        return change.at === "now" ? cancelNow(context) : cancelAtPeriodEnd(context);
      case "resume":
        return resumed(context);
      case "change_plan":
        return changePlan(change.plan, context);
    }
  },
};

function cancelNow({ subscription, now }: ChangeContext): SubscriptionUpdate {
  refuseEnded(subscription, now);
  // a debt is remembered, for the day it is resumed
  return { status: "CANCELLED", cancelAtPeriodEnd: false };
}

function cancelAtPeriodEnd({ subscription, now }: ChangeContext): SubscriptionUpdate {
  refuseEnded(subscription, now);
  if (subscription.cancelAtPeriodEnd) throw conflict("The subscription already ends with its period");
  if (!subscriptionState(subscription, now).served) {
    throw conflict("The subscription is not active. Cancel it now instead");
  }
  const end = subscription.currentPeriodEnd ?? monthlyPeriod(subscription.currentPeriodStart, now).end;
  return { cancelAtPeriodEnd: true, currentPeriodEnd: end };
}

const STARTED_ANEW = {
  status: "ACTIVE",
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  pastDueSince: null,
} as const;

/** Back to what it was; when that is over, not known or not paid, active with no end. @throws {AppError} Conflict */
export function resumed({ subscription, before, now }: ChangeContext): SubscriptionUpdate {
  const way = wayBack(subscription, now);
  if (!way) throw conflict("The subscription is running: there is nothing to resume");
  const over = !before || (before.currentPeriodEnd !== null && before.currentPeriodEnd <= now);
  if (way === "activate" || over) return STARTED_ANEW;
  return {
    status: before.status,
    currentPeriodEnd: before.currentPeriodEnd,
    cancelAtPeriodEnd: false,
    pastDueSince: before.status === "PAST_DUE" ? (subscription.pastDueSince ?? before.createdAt) : null,
  };
}

function changePlan(plan: string, { subscription, now }: ChangeContext): SubscriptionUpdate {
  refuseEnded(subscription, now);
  return { plan };
}

function refuseEnded(subscription: Subscription, now: Date): void {
  const { status } = subscriptionState(subscription, now);
  if (status === "CANCELLED" || status === "EXPIRED") {
    throw conflict("The subscription has ended. Resume it first");
  }
}

function conflict(message: string): AppError {
  return new AppError("Conflict", message);
}
