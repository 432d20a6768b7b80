import { z } from "zod";
import { SUBSCRIPTION_STATUSES } from "../db/column-values.ts";
import { instantInput } from "../instant.ts";
import { PLANS } from "./plans.ts";

const CANCEL_AT = ["period_end", "now"] as const;

const plans = PLANS.map(({ id }) => id);

export const setSubscriptionInput = z.strictObject({
  status: z.enum(SUBSCRIPTION_STATUSES, `must be one of ${SUBSCRIPTION_STATUSES.join(", ")}`),
  /** Null or missing: open-ended. */
  currentPeriodEnd: instantInput.nullish(),
});

export const cancelInput = z.strictObject({
  at: z.enum(CANCEL_AT, `must be one of ${CANCEL_AT.join(", ")}`),
});

export const changePlanInput = z.strictObject({
  plan: z.enum(plans, `must be one of ${plans.join(", ")}`),
});

export type SetSubscriptionInput = z.input<typeof setSubscriptionInput>;
export type CancelInput = z.input<typeof cancelInput>;
export type ChangePlanInput = z.input<typeof changePlanInput>;
