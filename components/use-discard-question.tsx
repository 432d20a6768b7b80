"use client";

import { type ReactNode, useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";

const ConfirmDialog = lazyComponent(() =>
  import("@/components/confirm-dialog.tsx").then((module) => module.ConfirmDialog),
);

interface DiscardQuestion {
  /** For the `Dialog`. */
  onOpenChange: (open: boolean) => void;
  /** To render inside the dialog's content. */
  question: ReactNode;
}

/** Asks before a dialog closes whose form has unsaved changes. */
export function useDiscardQuestion(isChanged: () => boolean, onClose: () => void): DiscardQuestion {
  const [isAsking, setAsking] = useState(false);
  return {
    onOpenChange: (open) => {
      if (open) return;
      if (isChanged()) setAsking(true);
      else onClose();
    },
    question: isAsking && (
      <ConfirmDialog
        open
        onOpenChange={setAsking}
        title="Discard your changes?"
        description="What you typed is not saved."
        confirm="Discard changes"
        dismiss="Keep editing"
        onConfirm={onClose}
      />
    ),
  };
}
