import type { FormEvent, ReactNode } from "react";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button, type ButtonVariants } from "@/components/ui/button.tsx";
import { DialogBody, DialogClose, DialogFooter, useBusyDialog } from "@/components/ui/dialog.tsx";

interface DialogFormProps {
  onSubmit: (event: FormEvent) => void;
  /** The verb: "Create key". */
  confirm: string;
  variant?: ButtonVariants["variant"];
  disabled?: boolean;
  pending: boolean;
  /** Of the last try, when it belongs to no field. */
  error: string | null;
  children: ReactNode;
}

/** What stands in a dialog that asks for something: the fields, what went wrong, and the two ways out. */
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
