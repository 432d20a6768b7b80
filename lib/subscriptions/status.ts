import type { SUBSCRIPTION_STATUSES, subscriptions } from "../db/schema/index.ts";
import { DAY_MS } from "../durations.ts";

export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];
export type Subscription = typeof subscriptions.$inferSelect;
type Facts = Pick<Subscription, "status" | "pastDueSince" | "currentPeriodEnd" | "cancelAtPeriodEnd">;

const GRACE_DAYS = 7;

interface SubscriptionState {
  /** The effective status: `EXPIRED` or `CANCELLED` once the period has ended, whatever the row says. */
  status: SubscriptionStatus;
  /** Whether the API answers. */
  served: boolean;
  /** When the API stops answering, or stopped; null when there is no end, or the time is unknown. */
  until: Date | null;
  /** A text for a banner. */
  reason: string;
}

/**
 * Derives the state from a subscription and the time, so that no job has to run when a period ends. Without a
 * subscription, the status is INCOMPLETE.
 */
export function subscriptionState(subscription: Facts | null, now: Date): SubscriptionState {
  if (!subscription) return refused("INCOMPLETE", "The company has no subscription");
  const status = effectiveStatus(subscription, now);
  const { currentPeriodEnd: end, pastDueSince, cancelAtPeriodEnd } = subscription;
  // a status that was set has no known time; one that follows from the period began at its end
  const ranOut = status === subscription.status ? null : end;
  switch (status) {
    case "ACTIVE":
      return {
        status,
        served: true,
        until: end,
        reason: cancelAtPeriodEnd ? "Ends after this billing period" : "Active",
      };
    case "TRIALING":
      return { status, served: true, until: end, reason: "On trial" };
    case "PAST_DUE":
      return pastDue(pastDueSince, end, now);
    case "INCOMPLETE":
      return refused(status, "The first payment is missing");
    case "UNPAID":
      return refused(status, "A payment is missing");
    case "PAUSED":
      return refused(status, "The subscription is paused");
    case "CANCELLED":
      return refused(status, "The subscription was cancelled", ranOut);
    case "EXPIRED":
      return refused(status, "The subscription has expired", ranOut);
    default:
      return refused(status satisfies never, "The subscription has a status that this release does not know");
  }
}

/** How to reactivate a subscription: `activate` starts it again, `resume` undoes a cancellation, a pause or an end. */
export type NextStep = "activate" | "resume";

/** Null if active or on trial, and not set to end. */
export function nextStep(subscription: Facts | null, now: Date): NextStep | null {
  const { status, served } = subscriptionState(subscription, now);
  // after the grace period of a debt, undoing the cancellation would not make the API answer
  if (subscription?.cancelAtPeriodEnd && served) return "resume";
  switch (status) {
    case "ACTIVE":
    case "TRIALING":
      return null;
    case "PAST_DUE":
    case "INCOMPLETE":
    case "UNPAID":
      return "activate";
    case "PAUSED":
    case "CANCELLED":
    case "EXPIRED":
      return "resume";
    default:
      return status satisfies never;
  }
}

/** Whether the subscription must be resumed before its plan can change. */
export function hasEnded({ status }: Pick<SubscriptionState, "status">): boolean {
  return status === "CANCELLED" || status === "EXPIRED";
}

function effectiveStatus({ status, currentPeriodEnd, cancelAtPeriodEnd }: Facts, now: Date): SubscriptionStatus {
  // already ended: keep the status that says how
  if (status === "CANCELLED" || status === "EXPIRED") return status;
  if (!hasPassed(currentPeriodEnd, now)) return status;
  return cancelAtPeriodEnd ? "CANCELLED" : "EXPIRED";
}

function pastDue(since: Date | null, periodEnd: Date | null, now: Date): SubscriptionState {
  if (!since) return refused("PAST_DUE", "A payment is overdue");
  const graceEnd = new Date(since.getTime() + GRACE_DAYS * DAY_MS);
  if (graceEnd <= now) return refused("PAST_DUE", `A payment is overdue by more than ${GRACE_DAYS} days`, graceEnd);
  const until = periodEnd && periodEnd < graceEnd ? periodEnd : graceEnd;
  return { status: "PAST_DUE", served: true, until, reason: "A payment is overdue" };
}

function refused(status: SubscriptionStatus, reason: string, until: Date | null = null): SubscriptionState {
  return { status, served: false, until, reason };
}

function hasPassed(moment: Date | null, now: Date): boolean {
  return moment !== null && moment <= now;
}
