"use server";

import { action } from "@/lib/auth/action.ts";
import { arrivalInput, arrivalOf } from "@/lib/connect/arrival.ts";

export const watchKeyAction = action(
  { name: "connect.watch", role: "admin", schema: arrivalInput, refresh: false },
  ({ scope, actor, input }) => arrivalOf(scope, actor, input),
);
