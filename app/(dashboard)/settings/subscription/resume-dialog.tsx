"use client";

import { ConfirmDialog } from "@/components/confirm-dialog.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { useAction } from "@/components/use-action.ts";
import { SUBSCRIPTION_STATUS_LABELS } from "@/lib/db/column-values.ts";
import { NEXT_STEP_LABELS } from "@/lib/subscriptions/next-step.ts";
import type { SubscriptionView } from "@/lib/subscriptions/service.ts";
import type { NextStep } from "@/lib/subscriptions/status.ts";
import { resumeSubscriptionAction } from "./actions.ts";

export interface ResumeSubscriptionProps {
  nextStep: NextStep;
  subscription: SubscriptionView;
  /** The subscription as it would be once resumed. */
  resumed: SubscriptionView;
}

export function ResumeDialog({ onClose, ...change }: ResumeSubscriptionProps & { onClose: () => void }) {
  const verb = NEXT_STEP_LABELS[change.nextStep];
  const { run, pending, error } = useAction(resumeSubscriptionAction, {
    onSuccess: onClose,
    success: `Subscription ${verb.toLowerCase()}d`,
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${verb} the subscription?`}
      description={<Consequence {...change} />}
      confirm={verb}
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
          ? "The API keeps serving requests."
          : state.served
            ? "The API will serve all requests with your existing keys, starting now."
            : `The API will still refuse requests: ${state.reason.toLowerCase()}.`}
      </p>
      {state.status === "PAST_DUE" && state.served && state.until && (
        <p>
          A payment is overdue. The API stops serving requests on <AbsoluteTime date={state.until} time /> unless you
          activate the subscription.
        </p>
      )}
      <p>
        The subscription will be {SUBSCRIPTION_STATUS_LABELS[state.status].toLowerCase()} on the {planDetails.name}{" "}
        plan,{" "}
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
