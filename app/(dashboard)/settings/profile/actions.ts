"use server";

import { action } from "@/lib/auth/action.ts";
import { beginSession } from "@/lib/auth/session-cookie.ts";
import { changePassword, renamePerson } from "@/lib/members/account.ts";
import { changePasswordInput, profileInput } from "@/lib/members/schema.ts";

export const renamePersonAction = action(
  { name: "person.rename", anyCompany: true, schema: profileInput },
  ({ member, input }) => renamePerson(member.userId, input),
);

export const changePasswordAction = action(
  { name: "person.change_password", anyCompany: true, schema: changePasswordInput },
  async ({ member, input }) => {
    const version = await changePassword(member.userId, input);
    // the new password ended every session, so this browser starts a new one
    await beginSession({ userId: member.userId, version, companyId: member.company.id });
  },
);
