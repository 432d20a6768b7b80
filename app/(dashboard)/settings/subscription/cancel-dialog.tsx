"use client";

import type { ReactNode } from "react";
import { ConfirmDialog } from "@/components/confirm-dialog.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { useAction } from "@/components/use-action.ts";
import type { LastServed } from "@/lib/subscriptions/next-step.ts";
import type { CancelInput } from "@/lib/subscriptions/schema.ts";
import { cancelSubscriptionAction } from "./actions.ts";

interface CancelDialogProps {
  at: CancelInput["at"];
  last: LastServed;
  companyName: string;
  onClose: () => void;
}

export function CancelDialog({ at, last, companyName, onClose }: CancelDialogProps) {
  const { run, pending, error } = useAction(cancelSubscriptionAction, {
    onSuccess: onClose,
    success: at === "now" ? "Subscription cancelled" : "Cancelled at the end of the period",
  });
  const shared = {
    open: true,
    onOpenChange: (open: boolean) => !open && onClose(),
    dismiss: "Keep subscription",
    pending,
    error,
    onConfirm: () => void run({ at }),
  };
  if (at === "now") {
    return (
      <ConfirmDialog
        {...shared}
        title="Cancel now?"
        description={
          <Sentences
            first="The API will refuse all requests from this company (403), starting now."
            then="No keys are revoked and nothing is deleted. You can resume at any time, and the API will work again immediately."
          />
        }
        typed={companyName}
        confirm="Cancel now"
      />
    );
  }
  return (
    <ConfirmDialog
      {...shared}
      title="Cancel at the end of the period?"
      description={
        <Sentences
          first={
            <>
              Until <AbsoluteTime date={last.until} time /> nothing changes.
            </>
          }
          then={
            last.isOverdue
              ? "After that, the API refuses every request (403), because a payment is overdue. You can activate the subscription at any time."
              : "After that, the API refuses every request (403). You can resume at any time."
          }
        />
      }
      confirm="Cancel at the end"
    />
  );
}

function Sentences({ first, then }: { first: ReactNode; then: ReactNode }) {
  return (
    <>
      <p>{first}</p>
      <p>{then}</p>
    </>
  );
}
