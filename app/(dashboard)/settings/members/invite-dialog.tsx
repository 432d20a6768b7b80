"use client";

import { useState } from "react";
import { Controller } from "react-hook-form";
import { DialogForm } from "@/components/dialog-form.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import type { SentLink as Sent } from "@/lib/members/links.ts";
import { inviteInput } from "@/lib/members/schema.ts";
import { inviteAction } from "./actions.ts";
import { RoleChoice } from "./role-choice.tsx";
import { isShownOnce, SentLinkBody } from "./sent-link.tsx";

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [sent, setSent] = useState<Sent | null>(null);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={sent ? "Invitation ready" : "Invite someone"}
        description={sent ? undefined : "They get a link that works once, for 7 days."}
        locked={isShownOnce(sent)}
      >
        {sent ? <SentLinkBody link={sent} /> : <InviteForm onSent={setSent} />}
      </DialogContent>
    </Dialog>
  );
}

function InviteForm({ onSent }: { onSent: (link: Sent) => void }) {
  const { form, register, submit, pending, error, errorOf } = useActionForm(inviteInput, inviteAction, {
    defaultValues: { email: "", role: "support" },
    onSuccess: onSent,
  });
  return (
    <DialogForm onSubmit={submit} confirm="Create invitation" pending={pending} error={error}>
      <Field label="Email" error={errorOf("email")} required>
        {(control) => <Input {...control} {...register("email")} type="email" autoComplete="off" autoFocus />}
      </Field>
      <Controller
        control={form.control}
        name="role"
        render={({ field }) => <RoleChoice value={field.value} onChange={field.onChange} />}
      />
    </DialogForm>
  );
}
