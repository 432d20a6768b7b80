import { useState } from "react";
import { DialogForm } from "@/components/dialog-form.tsx";
import type { ButtonVariants } from "@/components/ui/button.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { Issue } from "@/lib/errors.ts";

interface ReasonDialogProps {
  /** The title, and the label of the submit button: "Decline suggestion". */
  title: string;
  description: string;
  variant?: ButtonVariants["variant"];
  placeholder?: string;
  /** In characters. */
  lengthMax: number;
  /** The state of the action that `onSubmit` runs. */
  action: { pending: boolean; error: string | null; issues: Issue[] };
  onSubmit: (reason: string) => void;
  onClose: () => void;
}

/** Asks for the reason of an action. */
export function ReasonDialog({
  title,
  description,
  variant,
  placeholder,
  lengthMax,
  action,
  onSubmit,
  onClose,
}: ReasonDialogProps) {
  const [reason, setReason] = useState("");
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={title} description={description}>
        <DialogForm
          confirm={title}
          variant={variant}
          pending={action.pending}
          error={action.issues.length > 0 ? null : action.error}
          onSubmit={() => onSubmit(reason)}
        >
          <Field label="Reason" error={action.issues[0]?.message} required>
            {(control) => (
              <Textarea
                {...control}
                rows={3}
                maxLength={lengthMax}
                placeholder={placeholder}
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
