import type { ReactNode } from "react";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import type { Tone } from "@/components/ui/badge.tsx";
import { describeNextStep } from "@/lib/subscriptions/next-step.ts";
import type { SubscriptionView } from "@/lib/subscriptions/service.ts";
import type { SubscriptionStatus } from "@/lib/subscriptions/status.ts";

export const STATUS_TONES: Record<SubscriptionStatus, Tone> = {
  ACTIVE: "success",
  TRIALING: "accent",
  PAST_DUE: "warning",
  INCOMPLETE: "danger",
  UNPAID: "danger",
  PAUSED: "danger",
  CANCELLED: "danger",
  EXPIRED: "danger",
};

/** Says what the status means for API callers, now and later. */
export function StatusSentence({ subscription }: { subscription: SubscriptionView }) {
  const { state, cancelAtPeriodEnd, refusedSince } = subscription;
  const next = describeNextStep(subscription);
  if (refusedSince) {
    return (
      <>
        {state.reason}. The API has refused all requests since <AbsoluteTime date={refusedSince} time />. Your keys and
        knowledge are kept. {next}
      </>
    );
  }
  const end = state.until && <AbsoluteTime date={state.until} time />;
  const ends: Partial<Record<SubscriptionStatus, ReactNode>> = {
    ACTIVE: cancelAtPeriodEnd
      ? "The subscription ends, and the API stops serving requests, on "
      : "The billing period ends on ",
    TRIALING: "The trial ends, and the API stops serving requests, on ",
    PAST_DUE: "A payment is overdue. Without it, the API stops serving requests on ",
  };
  return (
    <>
      The API serves every request with a valid key.{" "}
      {end ? (
        <>
          {ends[state.status]}
          {end}.
        </>
      ) : (
        "The subscription has no end."
      )}{" "}
      {next}
    </>
  );
}
