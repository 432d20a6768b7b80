"use server";

import { z } from "zod";
import { action } from "@/lib/auth/action.ts";
import { cancelInput, changePlanInput } from "@/lib/subscriptions/schema.ts";
import { cancelSubscription, changePlan, resumeSubscription } from "@/lib/subscriptions/service.ts";

export const changePlanAction = action(
  { name: "subscription.change_plan", role: "admin", schema: changePlanInput },
  ({ scope, actor, input }) => changePlan(scope, actor, input),
);

export const cancelSubscriptionAction = action(
  { name: "subscription.cancel", role: "admin", schema: cancelInput },
  ({ scope, actor, input }) => cancelSubscription(scope, actor, input),
);

export const resumeSubscriptionAction = action(
  { name: "subscription.resume", role: "admin", schema: z.strictObject({}) },
  ({ scope, actor }) => resumeSubscription(scope, actor),
);
