"use client";

import { notifyBulk } from "@/components/notify-bulk.ts";
import { useAction } from "@/components/use-action.ts";
import { counted } from "@/lib/counted.ts";
import type { SourceFilter } from "@/lib/knowledge/browse/browse-query.ts";
import { deleteSourcesAction, reindexSourcesAction, restoreSourcesAction } from "./actions.ts";

const UNDO_MS = 10_000;
const REMOVAL_OPTIONS = { toastError: true, removesControl: true };

/** Sources to change, with the filter by which they were chosen. */
export interface ChosenSources {
  ids: string[];
  filter?: SourceFilter;
}

/** Deletes, restores and re-indexes sources. The toast of a deletion offers Undo. */
export function useSourceActions(onDone?: () => void) {
  const restore = useAction(restoreSourcesAction, {
    ...REMOVAL_OPTIONS,
    onSuccess: (ids, chosen) => {
      notifyRestored(ids, chosen);
      onDone?.();
    },
  });
  // without `onDone`: by then, other sources may be selected
  const { run: undo } = useAction(restoreSourcesAction, { ...REMOVAL_OPTIONS, onSuccess: notifyRestored });
  const remove = useAction(deleteSourcesAction, {
    ...REMOVAL_OPTIONS,
    onSuccess: (ids, chosen) => {
      notifyBulk(resultOf(ids, chosen), {
        success: `${counted(ids.length, "source")} deleted`,
        nothing: "Nothing was deleted",
        kind: "message",
        durationMs: UNDO_MS,
        description: afterDeletion(ids.length),
        action: { label: "Undo", onClick: () => void undo({ ids }) },
      });
      onDone?.();
    },
  });
  const reindex = useAction(reindexSourcesAction, {
    ...REMOVAL_OPTIONS,
    onSuccess: (ids, chosen) => {
      const success = `${counted(ids.length, "source")} queued for re-indexing`;
      notifyBulk(resultOf(ids, chosen), { success, nothing: "Nothing was queued for re-indexing" });
      onDone?.();
    },
  });
  return { remove, restore, reindex };
}

function notifyRestored(ids: string[], chosen: Pick<ChosenSources, "ids">): void {
  const success = `${counted(ids.length, "source")} restored`;
  notifyBulk(resultOf(ids, chosen), { success, nothing: "Nothing was restored" });
}

function resultOf(done: string[], { ids }: Pick<ChosenSources, "ids">) {
  return { done: done.length, leftOut: ids.length - done.length };
}

function afterDeletion(deleted: number): string {
  return deleted === 1
    ? "It is no longer searchable. You can restore it for 24 hours."
    : "They are no longer searchable. You can restore them for 24 hours.";
}
