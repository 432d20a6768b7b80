"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { openAction } from "@/lib/auth/action.ts";
import { currentAccount } from "@/lib/auth/session.ts";
import { beginSession, clearSession } from "@/lib/auth/session-cookie.ts";
import { AppError } from "@/lib/errors.ts";
import { requestReset } from "@/lib/members/links.ts";
import {
  acceptInvitation,
  joinSignedIn,
  joinWithNewPassword,
  joinWithPassword,
  redeemReset,
} from "@/lib/members/redeem.ts";
import { acceptInput, forgotInput, joinInput, rejoinInput, resetInput } from "@/lib/members/schema.ts";

export const forgotAction = openAction({ name: "password.forgot", schema: forgotInput }, ({ input }) =>
  requestReset(input),
);

export const resetAction = openAction({ name: "password.reset", schema: resetInput }, async ({ input }) => {
  await beginSession(await redeemReset(input));
  redirect("/overview");
});

export const acceptAction = openAction({ name: "invitation.accept", schema: acceptInput }, async ({ input }) => {
  await beginSession(await acceptInvitation(input));
  redirect("/overview");
});

export const joinAction = openAction({ name: "invitation.join", schema: joinInput }, async ({ input }) => {
  await beginSession(await joinWithPassword(input));
  redirect("/overview");
});

export const joinSignedInAction = openAction(
  { name: "invitation.join_signed_in", schema: joinInput.pick({ token: true }) },
  async ({ input }) => {
    const account = await currentAccount();
    if (!account) throw new AppError("Unauthorized", "You are signed out. Reload the page.");
    await beginSession(await joinSignedIn(input.token, { id: account.userId, email: account.email }));
    redirect("/overview");
  },
);

export const joinWithNewPasswordAction = openAction(
  { name: "invitation.join_with_new_password", schema: rejoinInput },
  async ({ input }) => {
    const account = await currentAccount();
    await beginSession(await joinWithNewPassword(input, account?.userId ?? null));
    redirect("/overview");
  },
);

export const leaveAction = openAction({ name: "session.leave", schema: z.strictObject({}) }, async () => {
  await clearSession();
  redirect("/sign-in");
});
