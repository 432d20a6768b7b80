"use client";

import { useState } from "react";
import { DialogForm } from "@/components/dialog-form.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { RadioCard, RadioGroup } from "@/components/ui/radio-group.tsx";
import { useAction } from "@/components/use-action.ts";
import { counted } from "@/lib/counted.ts";
import { PLANS, type Plan, planById } from "@/lib/subscriptions/plans.ts";
import type { SubscriptionView } from "@/lib/subscriptions/service.ts";
import { changePlanAction } from "./actions.ts";

interface PlanFormProps {
  subscription: SubscriptionView;
  /** Requests served in the current month. */
  served: number;
}

interface PlanDialogProps extends PlanFormProps {
  onClose: () => void;
}

export function PlanDialog({ onClose, ...props }: PlanDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Change plan"
        description="The change takes effect immediately. Keys and knowledge do not change."
      >
        <PlanForm {...props} onChanged={onClose} />
      </DialogContent>
    </Dialog>
  );
}

function PlanForm({ subscription, served, onChanged }: PlanFormProps & { onChanged: () => void }) {
  const [chosen, setChosen] = useState(subscription.plan);
  const { run, pending, error } = useAction(changePlanAction, { onSuccess: onChanged, success: "Plan changed" });
  return (
    <DialogForm
      onSubmit={() => void run({ plan: chosen })}
      confirm={chosen === subscription.plan ? "Change plan" : `Change to ${planById(chosen).name}`}
      disabled={chosen === subscription.plan}
      pending={pending}
      error={error}
    >
      <RadioGroup value={chosen} onValueChange={setChosen} aria-label="Plan">
        {PLANS.map((plan) => (
          <RadioCard
            key={plan.id}
            value={plan.id}
            label={plan.id === subscription.plan ? `${plan.name} (now)` : plan.name}
            description={`${plan.description}: ${allowanceOf(plan)}.`}
          />
        ))}
      </RadioGroup>
      {chosen !== subscription.plan && <Consequence plan={planById(chosen)} served={served} />}
    </DialogForm>
  );
}

function Consequence({ plan, served }: { plan: Plan; served: number }) {
  const { requestsPerMonth: allowed } = plan;
  return (
    <p className="rounded-md bg-accent-soft px-3 py-2">
      From now on: {allowanceOf(plan)}.{" "}
      {allowed !== null &&
        (served > allowed
          ? `${counted(served, "request")} so far this month. The API keeps serving requests.`
          : `${counted(served, "request")} so far this month.`)}
    </p>
  );
}

function allowanceOf({ requestsPerMonth }: Plan): string {
  return requestsPerMonth === null ? "no allowance" : `${counted(requestsPerMonth, "request")} a month`;
}
