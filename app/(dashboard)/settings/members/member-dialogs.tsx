"use client";

import { useState } from "react";
import { ConfirmDialog } from "@/components/confirm-dialog.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { useAction } from "@/components/use-action.ts";
import { SUPPORT_MAY } from "@/lib/auth/role-words.ts";
import type { SentLink as Sent } from "@/lib/members/links.ts";
import type { MemberRow } from "@/lib/members/service.ts";
import { changeRoleAction, createResetLinkAction, removeMemberAction } from "./actions.ts";
import { isShownOnce, SentLinkBody } from "./sent-link.tsx";

export type MemberChange = "role" | "reset" | "remove";

interface DialogProps {
  member: MemberRow;
  isSelf: boolean;
  onClose: () => void;
}

export function MemberDialog({ change, ...props }: DialogProps & { change: MemberChange }) {
  if (change === "role") return <RoleDialog {...props} />;
  if (change === "reset") return <ResetDialog {...props} />;
  return <RemoveDialog {...props} />;
}

function RoleDialog({ member, isSelf, onClose }: DialogProps) {
  const role = member.role === "admin" ? "support" : "admin";
  const who = isSelf ? "yourself" : member.name;
  const { run, pending, error } = useAction(changeRoleAction, { onSuccess: onClose, success: "Role changed" });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Make ${who} ${role === "admin" ? "an admin" : "support"}?`}
      description={
        <>
          <p>
            {role === "admin"
              ? "Admins can see and change everything: keys, subscription, members and the company."
              : `Support can ${SUPPORT_MAY}, but cannot save knowledge or settings.`}
          </p>
          {role === "support" && (
            <p>Unused invitations and password links that {isSelf ? "you" : "they"} created stop working.</p>
          )}
          <p>
            {isSelf
              ? "You will be signed out. Sign in again to use the new role."
              : "They will be signed out and must sign in again."}
          </p>
        </>
      }
      confirm={role === "admin" ? "Make admin" : "Make support"}
      tone="primary"
      pending={pending}
      error={error}
      onConfirm={() => void run({ userId: member.userId, role })}
    />
  );
}

function RemoveDialog({ member, isSelf, onClose }: DialogProps) {
  const { run, pending, error } = useAction(removeMemberAction, {
    onSuccess: onClose,
    success: isSelf ? "You left the company" : `${member.name} was removed`,
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isSelf ? "Leave the company?" : `Remove ${member.name}?`}
      description={
        isSelf
          ? "You lose access immediately. Unused invitations and password links that you created stop working. An admin can invite you again."
          : "They lose access immediately. Unused invitations and password links that they created stop working. Their account, their other companies and the keys they created stay."
      }
      confirm={isSelf ? "Leave" : "Remove member"}
      pending={pending}
      error={error}
      onConfirm={() => void run({ userId: member.userId })}
    />
  );
}

function ResetDialog({ member, onClose }: DialogProps) {
  const [sent, setSent] = useState<Sent | null>(null);
  const { run, pending, error } = useAction(createResetLinkAction, { onSuccess: setSent });
  if (!sent) {
    return (
      <ConfirmDialog
        open
        onOpenChange={(open) => !open && onClose()}
        title={`Create a password link for ${member.name}?`}
        description="The link lets them choose a new password within 1 hour. Their current password works until they do."
        confirm="Create link"
        tone="primary"
        pending={pending}
        error={error}
        onConfirm={() => void run({ userId: member.userId })}
      />
    );
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Password link ready" locked={isShownOnce(sent)}>
        <SentLinkBody link={sent} />
      </DialogContent>
    </Dialog>
  );
}
