"use client";

import { useState } from "react";
import { ConfirmDialog } from "@/components/confirm-dialog.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { useAction } from "@/components/use-action.ts";
import type { SubscriptionView } from "@/lib/subscriptions/service.ts";
import { cancelSubscriptionAction } from "./actions.ts";

interface EndSubscriptionProps {
  subscription: SubscriptionView;
  companyName: string;
}

export function EndSubscription({ subscription, companyName }: EndSubscriptionProps) {
  const [asked, setAsked] = useState<"period_end" | "now" | null>(null);
  const { run, pending, error, reset } = useAction(cancelSubscriptionAction, {
    onSuccess: () => setAsked(null),
    success: ({ state }) => (state.served ? "Cancelled at the end of the period" : "Subscription cancelled"),
  });
  const ask = (at: "period_end" | "now") => {
    reset();
    setAsked(at);
  };
  const end = subscription.currentPeriodEnd ?? subscription.allowancePeriod.end;
  const canEndLater = subscription.state.served && !subscription.cancelAtPeriodEnd;
  const shared = {
    onOpenChange: (open: boolean) => !open && setAsked(null),
    pending,
    error,
  };
  return (
    <Card>
      <CardHeader
        title="Cancel the subscription"
        description="The API stops answering. Keys, knowledge and members are kept, the dashboard stays open, and you can resume."
      />
      <CardBody className="flex flex-wrap gap-2">
        {canEndLater && (
          <Button variant="secondary" onClick={() => ask("period_end")}>
            Cancel at the end of the period
          </Button>
        )}
        <Button variant="danger" onClick={() => ask("now")}>
          Cancel now
        </Button>
      </CardBody>
      <ConfirmDialog
        {...shared}
        open={asked === "period_end"}
        title="Cancel at the end of the period?"
        description={
          <>
            <p>
              Until <AbsoluteTime date={end} time /> nothing changes: the API answers as before.
            </p>
            <p>After that it answers 403 to every request. You can resume at any time before and after.</p>
          </>
        }
        confirm="Cancel at the end"
        onConfirm={() => void run({ at: "period_end" })}
      />
      <ConfirmDialog
        {...shared}
        open={asked === "now"}
        title="Cancel now?"
        description={
          <>
            <p>From the next request on, the API answers 403 to every system of this company.</p>
            <p>No key is ended and nothing is deleted: resuming makes it answer again at once.</p>
          </>
        }
        typed={companyName}
        confirm="Cancel now"
        onConfirm={() => void run({ at: "now" })}
      />
    </Card>
  );
}
