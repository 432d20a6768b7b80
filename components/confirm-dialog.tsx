"use client";

import { type ReactNode, useState } from "react";
import { ErrorMessage } from "@/components/error-message.tsx";
import { isTyped } from "@/components/is-typed.ts";
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogTitle,
} from "@/components/ui/alert-dialog.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Names the affected thing: "Revoke “Production”?" */
  title: string;
  /** Says what will happen, and what cannot be undone. */
  description: ReactNode;
  /** Label of the confirming button: "Revoke key". */
  confirm: string;
  /** Label of the other button; "Cancel" unless that is ambiguous. */
  dismiss?: string;
  /** Text that the person must type to confirm, for dangerous actions. */
  typed?: string;
  tone?: "danger" | "primary";
  pending?: boolean;
  /** Error of the last attempt, shown in the dialog. */
  error?: string | null;
  onConfirm: () => void;
}

/** Stays open until its caller closes it, so that it can show an error. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <AlertDialog open={props.open} onOpenChange={(open) => !props.pending && props.onOpenChange(open)}>
      {/* remounted each time it opens, so that the typed text is cleared */}
      {props.open && <ConfirmContent {...props} />}
    </AlertDialog>
  );
}

function ConfirmContent({
  title,
  description,
  confirm,
  dismiss = "Cancel",
  typed,
  tone = "danger",
  pending,
  error,
  onConfirm,
}: ConfirmDialogProps) {
  const [text, setText] = useState("");
  const ready = typed === undefined || isTyped(text, typed);
  return (
    <AlertDialogContent>
      <div className="grid gap-2 px-6 py-5">
        <AlertDialogTitle className="font-semibold text-lg">{title}</AlertDialogTitle>
        <AlertDialogDescription asChild>
          <div className="grid gap-2 text-muted">{description}</div>
        </AlertDialogDescription>
      </div>
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !pending) onConfirm();
        }}
      >
        <div className="grid gap-4 overflow-y-auto px-6 pt-1 pb-5 empty:hidden">
          {typed !== undefined && (
            <Field
              label={
                <>
                  Type <strong className="select-all break-all font-semibold">{typed}</strong> to confirm
                </>
              }
            >
              {(control) => (
                <Input
                  {...control}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
            </Field>
          )}
          {error && <ErrorMessage>{error}</ErrorMessage>}
        </div>
        <div className="flex justify-end gap-2 border-border border-t px-6 py-4">
          <AlertDialogCancel asChild>
            <Button variant="secondary" disabled={pending}>
              {dismiss}
            </Button>
          </AlertDialogCancel>
          <Button type="submit" variant={tone} disabled={!ready} pending={pending}>
            {confirm}
          </Button>
        </div>
      </form>
    </AlertDialogContent>
  );
}
