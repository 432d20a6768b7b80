import { z } from "zod";
import { SUBSCRIPTION_STATUSES } from "../db/values.ts";
import { PLANS } from "./plans.ts";

export const CANCEL_AT = ["period_end", "now"] as const;

const plans = PLANS.map(({ id }) => id);

export const setSubscriptionInput = z.strictObject({
  status: z.enum(SUBSCRIPTION_STATUSES, `must be one of ${SUBSCRIPTION_STATUSES.join(", ")}`),
  /** Null or absent: open-ended. */
  currentPeriodEnd: z
    .union(
      [z.date(), z.iso.datetime({ offset: true }), z.iso.date()],
      "must be an ISO date, for example 2030-01-31 or 2030-01-31T12:00:00Z",
    )
    .transform((value) => new Date(value))
    .nullish(),
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
