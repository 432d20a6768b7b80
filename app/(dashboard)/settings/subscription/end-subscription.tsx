"use client";

import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { lastServed } from "@/lib/subscriptions/next-step.ts";
import type { CancelInput } from "@/lib/subscriptions/schema.ts";
import type { SubscriptionView } from "@/lib/subscriptions/service.ts";

const CancelDialog = lazyComponent(() => import("./cancel-dialog.tsx").then((module) => module.CancelDialog));

interface EndSubscriptionProps {
  subscription: SubscriptionView;
  companyName: string;
}

export function EndSubscription({ subscription, companyName }: EndSubscriptionProps) {
  const [asked, setAsked] = useState<CancelInput["at"] | null>(null);
  const { state, cancelAtPeriodEnd } = subscription;
  return (
    <Card>
      <CardHeader
        title="Cancel the subscription"
        description="The API stops serving requests. Keys, knowledge and members are kept, the dashboard stays available, and you can resume."
      />
      <CardBody className="flex flex-wrap gap-2">
        {state.served && !cancelAtPeriodEnd && (
          <Button variant="secondary" onClick={() => setAsked("period_end")}>
            Cancel at the end of the period
          </Button>
        )}
        <Button variant="danger" onClick={() => setAsked("now")}>
          Cancel now
        </Button>
      </CardBody>
      {asked && (
        <CancelDialog
          at={asked}
          last={lastServed(subscription)}
          companyName={companyName}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  );
}
