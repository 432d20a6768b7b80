"use server";

import { action } from "@/lib/auth/action.ts";
import { createResetLink, invite, withdrawInvitation } from "@/lib/members/links.ts";
import { changeRoleInput, invitationInput, inviteInput, memberInput } from "@/lib/members/schema.ts";
import { changeRole, removeMember } from "@/lib/members/service.ts";

export const inviteAction = action(
  { name: "member.invite", role: "admin", schema: inviteInput },
  ({ scope, actor, input }) => invite(scope, actor, input),
);

export const withdrawInvitationAction = action(
  { name: "invitation.withdraw", role: "admin", schema: invitationInput },
  ({ scope, actor, input }) => withdrawInvitation(scope, actor, input.id),
);

export const changeRoleAction = action(
  { name: "member.change_role", role: "admin", schema: changeRoleInput },
  ({ scope, actor, input }) => changeRole(scope, actor, input),
);

export const createResetLinkAction = action(
  { name: "member.create_reset_link", role: "admin", schema: memberInput },
  ({ scope, actor, input }) => createResetLink(scope, actor, input.userId),
);

export const removeMemberAction = action(
  { name: "member.remove", role: "admin", schema: memberInput },
  ({ scope, actor, input }) => removeMember(scope, actor, input.userId),
);
