"use client";

import { ReasonDialog } from "@/components/reason-dialog.tsx";
import { useAction } from "@/components/use-action.ts";
import { declineSuggestionAction } from "./actions.ts";

export function DeclineDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const decline = useAction(declineSuggestionAction, { success: "Suggestion declined", onSuccess: onClose });
  return (
    <ReasonDialog
      title="Decline suggestion"
      description="The knowledge stays as it is. All members see the reason."
      variant="danger"
      lengthMax={2_000}
      action={decline}
      onSubmit={(reason) => void decline.run({ id, reason })}
      onClose={onClose}
    />
  );
}
