"use client";

import { lazyComponent } from "@/components/lazy-component.tsx";
import type { Issue } from "@/lib/errors.ts";

const ConfirmDialog = lazyComponent(() =>
  import("@/components/confirm-dialog.tsx").then((module) => module.ConfirmDialog),
);

interface WidenDialogProps {
  /** "3 sources would become visible to ai_agent."; null closes the dialog. */
  question: string | null;
  /** Repeats the label of the button that was pressed: "Import 3 questions". */
  confirm: string;
  pending?: boolean;
  error?: string | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks for confirmation before existing sources become visible to more audiences. */
export function WidenDialog({ question, onCancel, ...rest }: WidenDialogProps) {
  if (question === null) return null;
  return (
    <ConfirmDialog
      {...rest}
      open
      onOpenChange={(open) => !open && onCancel()}
      title="Show to more audiences?"
      tone="primary"
      description={
        <>
          <p className="wrap-anywhere">{question}</p>
          <p>Requests for these audiences will then find them.</p>
        </>
      }
    />
  );
}

/** The confirmation that the server asks for; null if it refused for another reason. */
export function widenQuestion(issues: Issue[]): string | null {
  return issues.find(({ path }) => path === "widen")?.message ?? null;
}
