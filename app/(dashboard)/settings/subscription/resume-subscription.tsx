"use client";

import { useState } from "react";
import { late } from "@/components/late.tsx";
import { Button } from "@/components/ui/button.tsx";
import type { SubscriptionView } from "@/lib/subscriptions/service.ts";

const ResumeDialog = late(() => import("./resume-dialog.tsx").then((module) => module.ResumeDialog));

export interface ResumeSubscriptionProps {
  subscription: SubscriptionView;
  /** What resuming would make of it. */
  resumed: SubscriptionView;
}

export function ResumeSubscription(props: ResumeSubscriptionProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>Resume</Button>
      {asking && <ResumeDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}
