"use client";

import { useState } from "react";
import { DialogForm } from "@/components/dialog-form.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useAction } from "@/components/use-action.ts";
import { changeGapAction } from "../actions.ts";

interface DismissDialogProps {
  id: string;
  onClose: () => void;
}

export function DismissDialog({ id, onClose }: DismissDialogProps) {
  const [reason, setReason] = useState("");
  const { run, pending, error, issues } = useAction(changeGapAction, {
    success: "Question dismissed",
    onSuccess: onClose,
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Dismiss question"
        description="The question leaves the list, also when it is asked again. You can reopen it."
      >
        <DialogForm
          confirm="Dismiss question"
          pending={pending}
          error={issues.length > 0 ? null : error}
          onSubmit={() => void run({ do: "dismiss", id, reason })}
        >
          <Field label="Reason" error={issues[0]?.message} required>
            {(control) => (
              <Input
                {...control}
                value={reason}
                maxLength={500}
                autoComplete="off"
                placeholder="Not our business"
                onChange={({ target }) => setReason(target.value)}
              />
            )}
          </Field>
        </DialogForm>
      </DialogContent>
    </Dialog>
  );
}
