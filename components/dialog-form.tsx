import type { FormEvent, ReactNode } from "react";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button, type ButtonVariants } from "@/components/ui/button.tsx";
import { DialogBody, DialogClose, DialogFooter, useBusyDialog } from "@/components/ui/dialog.tsx";

interface DialogFormProps {
  onSubmit: (event: FormEvent) => void;
  /** Label of the submit button: "Create key". */
  confirm: string;
  variant?: ButtonVariants["variant"];
  disabled?: boolean;
  pending: boolean;
  /** Error of the last attempt, if it belongs to no field. */
  error: string | null;
  children: ReactNode;
}

/** The form of a dialog: its fields, an error, and the buttons to cancel and submit. */
export function DialogForm({ onSubmit, confirm, variant, disabled, pending, error, children }: DialogFormProps) {
  useBusyDialog(pending);
  return (
    <form
      className="contents"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event);
      }}
    >
      <DialogBody>
        {children}
        <ErrorMessage>{error}</ErrorMessage>
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="secondary" disabled={pending}>
            Cancel
          </Button>
        </DialogClose>
        <Button type="submit" variant={variant} disabled={disabled} pending={pending}>
          {confirm}
        </Button>
      </DialogFooter>
    </form>
  );
}
