"use server";

import { redirect } from "next/navigation";
import { openAction } from "@/lib/auth/action.ts";
import { beginSession } from "@/lib/auth/session-cookie.ts";
import { setupInput } from "@/lib/members/schema.ts";
import { completeSetup } from "@/lib/members/setup.ts";

export const setupAction = openAction({ name: "setup", schema: setupInput }, async ({ input }) => {
  const { userId, companyId } = await completeSetup(input);
  await beginSession({ userId, version: 1, companyId });
  redirect("/overview");
});
