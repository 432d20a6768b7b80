import { useAction } from "@/components/use-action.ts";
import { counted } from "@/lib/counted.ts";
import { undoRelabelAction } from "../actions.ts";

/** Restores the labels that sources had before a change. */
export function useUndoRelabel() {
  return useAction(undoRelabelAction, {
    toastError: true,
    success: (undone) => `Labels of ${counted(undone, "source")} restored`,
  });
}
