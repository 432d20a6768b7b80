"use client";

import type { ReactNode } from "react";
import { ConfirmDialog } from "@/components/confirm-dialog.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { useAction } from "@/components/use-action.ts";
import type { CancelInput } from "@/lib/subscriptions/schema.ts";
import { cancelSubscriptionAction } from "./actions.ts";

interface CancelDialogProps {
  at: CancelInput["at"];
  /** Of the period. */
  end: Date;
  companyName: string;
  onClose: () => void;
}

export function CancelDialog({ at, end, companyName, onClose }: CancelDialogProps) {
  const { run, pending, error } = useAction(cancelSubscriptionAction, {
    onSuccess: onClose,
    success: at === "now" ? "Subscription cancelled" : "Cancelled at the end of the period",
  });
  const shared = {
    open: true,
    onOpenChange: (open: boolean) => !open && onClose(),
    dismiss: "Keep it",
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
            first="From the next request on, the API answers 403 to every system of this company."
            then="No key is ended and nothing is deleted: resuming makes it answer again at once."
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
              Until <AbsoluteTime date={end} time /> nothing changes: the API answers as before.
            </>
          }
          then="After that it answers 403 to every request. You can resume at any time, before and after."
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
