"use client";

import { useState } from "react";
import { DialogForm } from "@/components/dialog-form.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useAction } from "@/components/use-action.ts";
import { declineSuggestionAction } from "./actions.ts";

interface DeclineDialogProps {
  id: string;
  onClose: () => void;
}

export function DeclineDialog({ id, onClose }: DeclineDialogProps) {
  const [reason, setReason] = useState("");
  const { run, pending, error, issues } = useAction(declineSuggestionAction, {
    success: "Suggestion declined",
    onSuccess: onClose,
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Decline suggestion" description="The knowledge stays as it is. All members see the reason.">
        <DialogForm
          confirm="Decline suggestion"
          variant="danger"
          pending={pending}
          error={issues.length > 0 ? null : error}
          onSubmit={() => void run({ id, reason })}
        >
          <Field label="Reason" error={issues[0]?.message} required>
            {(control) => (
              <Textarea
                {...control}
                rows={3}
                maxLength={2_000}
                value={reason}
                onChange={({ target }) => setReason(target.value)}
              />
            )}
          </Field>
        </DialogForm>
      </DialogContent>
    </Dialog>
  );
}
