"use client";

import { ConfirmDialog } from "@/components/confirm-dialog.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { useAction } from "@/components/use-action.ts";
import type { SubscriptionView } from "@/lib/subscriptions/service.ts";
import { resumeSubscriptionAction } from "./actions.ts";
import { STATUS_WORDS } from "./status-words.tsx";

export interface ResumeSubscriptionProps {
  subscription: SubscriptionView;
  /** What resuming would make of it. */
  resumed: SubscriptionView;
}

export function ResumeDialog({ onClose, ...change }: ResumeSubscriptionProps & { onClose: () => void }) {
  const { run, pending, error } = useAction(resumeSubscriptionAction, {
    onSuccess: onClose,
    success: "Subscription resumed",
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Resume the subscription?"
      description={<Consequence {...change} />}
      confirm="Resume"
      tone="primary"
      pending={pending}
      error={error}
      onConfirm={() => void run({})}
    />
  );
}

function Consequence({ subscription, resumed }: ResumeSubscriptionProps) {
  const { state, currentPeriodEnd, planDetails } = resumed;
  return (
    <>
      <p>
        {subscription.state.served
          ? "It no longer ends with its period, and the API goes on answering."
          : state.served
            ? "From the next request on, the API answers again, with the keys that there are."
            : `The API goes on refusing: ${state.reason.toLowerCase()}.`}
      </p>
      <p>
        The subscription is then {STATUS_WORDS[state.status].label.toLowerCase()} on the plan {planDetails.name},{" "}
        {currentPeriodEnd ? (
          <>
            until <AbsoluteTime date={currentPeriodEnd} time />.
          </>
        ) : (
          "with no end."
        )}
      </p>
    </>
  );
}
