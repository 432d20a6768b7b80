"use server";

import { action } from "@/lib/auth/action.ts";
import { latestRequestInput, latestRequestOf } from "@/lib/connect/latest-request.ts";

export const watchKeyAction = action(
  { name: "connect.watch", role: "admin", schema: latestRequestInput, refresh: false },
  ({ scope, actor, input }) => latestRequestOf(scope, actor, input),
);
