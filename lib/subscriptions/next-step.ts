import type { SubscriptionView } from "./service.ts";
import type { WayBack } from "./status.ts";

/** The label of the button that reactivates the subscription. Pure. */
export const WAY_BACK_LABELS: Record<WayBack, string> = { activate: "Activate", resume: "Resume" };

export interface LastServed {
  until: Date;
  /** Whether an overdue payment stops the API before the period ends. */
  isOverdue: boolean;
}

/** What the reader has to do for the API to answer, or whom to ask; null when there is nothing to do. */
export function nextStep({
  wayBack,
  canChange,
  state,
}: Pick<SubscriptionView, "wayBack" | "canChange" | "state">): string | null {
  if (!canChange) {
    return wayBack ? `Ask your provider to ${wayBack} the subscription.` : "Your provider manages the subscription.";
  }
  switch (wayBack) {
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
      return wayBack satisfies never;
  }
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
