import type { SubscriptionView } from "./service.ts";
import { hasEnded, type NextStep } from "./status.ts";

/** The label of the button for the next step. Pure. */
export const NEXT_STEP_LABELS: Record<NextStep, string> = { activate: "Activate", resume: "Resume" };

export interface LastServed {
  until: Date;
  /** Whether an overdue payment stops the API before the period ends. */
  isOverdue: boolean;
}

/** What the reader has to do for the API to answer, or whom to ask; null when there is nothing to do. */
export function describeNextStep({
  nextStep,
  canChange,
  state,
}: Pick<SubscriptionView, "nextStep" | "canChange" | "state">): string | null {
  if (!canChange) {
    return nextStep
      ? `Ask the operator of this server to ${nextStep} the subscription.`
      : "The operator of this server manages the subscription.";
  }
  switch (nextStep) {
    case "activate":
      return state.served
        ? "Activate the subscription to keep using the API."
        : "Activate the subscription to use the API.";
    case "resume":
      if (!state.served) return "Resume the subscription to use the API again.";
      return state.status === "PAST_DUE"
        ? "Resume and then activate the subscription to keep using the API after that."
        : "Resume the subscription to keep using the API after that.";
    case null:
      return null;
    default:
      return nextStep satisfies never;
  }
}

/** What it means that the allowance is used up, and what the reader can do. Pure. */
export function describeUsedUp({ state, canChange }: Pick<SubscriptionView, "state" | "canChange">): string {
  const advice = canChange ? "Choose a larger plan." : "Ask the operator of this server for a larger plan.";
  return ["The allowance is used up.", state.served && "The API keeps serving requests.", !hasEnded(state) && advice]
    .filter(Boolean)
    .join(" ");
}

/** When the API would stop answering if the subscription were cancelled at the end of its period, and why. Pure. */
export function lastServed({
  state,
  currentPeriodEnd,
  allowancePeriod,
}: Pick<SubscriptionView, "state" | "currentPeriodEnd" | "allowancePeriod">): LastServed {
  const end = currentPeriodEnd ?? allowancePeriod.end;
  return state.until && state.until < end ? { until: state.until, isOverdue: true } : { until: end, isOverdue: false };
}
