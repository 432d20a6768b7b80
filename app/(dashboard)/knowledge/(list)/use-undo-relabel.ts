import { notifyBulk } from "@/components/notify-bulk.ts";
import { useAction } from "@/components/use-action.ts";
import { counted } from "@/lib/counted.ts";
import { undoRelabelAction } from "../actions.ts";

/** Restores the labels that sources had before a change. */
export function useUndoRelabel() {
  return useAction(undoRelabelAction, {
    toastError: true,
    removesControl: true,
    onSuccess: (result) => {
      const success = `Labels of ${counted(result.done, "source")} restored`;
      notifyBulk(result, { success, nothing: "No labels were restored" });
    },
  });
}
