"use client";

import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";
import { NEXT_STEP_LABELS } from "@/lib/subscriptions/next-step.ts";
import type { ResumeSubscriptionProps } from "./resume-dialog.tsx";

const ResumeDialog = lazyComponent(() => import("./resume-dialog.tsx").then((module) => module.ResumeDialog));

export function ResumeSubscription(props: ResumeSubscriptionProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{NEXT_STEP_LABELS[props.nextStep]}</Button>
      {asking && <ResumeDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}
