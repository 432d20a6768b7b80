"use client";

import { ReasonDialog } from "@/components/reason-dialog.tsx";
import { useAction } from "@/components/use-action.ts";
import { changeGapAction } from "../actions.ts";

export function DismissDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const dismiss = useAction(changeGapAction, { success: "Question dismissed", onSuccess: onClose });
  return (
    <ReasonDialog
      title="Dismiss question"
      description="The question is removed from the list and stays hidden, even if it is asked again. You can reopen it."
      placeholder="Not about our products"
      lengthMax={500}
      action={dismiss}
      onSubmit={(reason) => void dismiss.run({ do: "dismiss", id, reason })}
      onClose={onClose}
    />
  );
}
