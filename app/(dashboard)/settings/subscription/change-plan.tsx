"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";
import type { SubscriptionView } from "@/lib/subscriptions/service.ts";

const PlanDialog = lazyComponent(() => import("./plan-dialog.tsx").then((module) => module.PlanDialog));

/** The button and its dialog, which `?plan=1` opens too. */
export function ChangePlan(props: { subscription: SubscriptionView; served: number }) {
  const [open, setOpen] = useQueryState("plan", parseAsStringLiteral(["1"]));
  return (
    <>
      <Button variant="secondary" onClick={() => void setOpen("1")}>
        Change plan
      </Button>
      {open && <PlanDialog {...props} onClose={() => void setOpen(null)} />}
    </>
  );
}
