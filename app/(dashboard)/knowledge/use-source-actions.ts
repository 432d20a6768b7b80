"use client";

import { notify } from "@/components/notify.ts";
import { useAction } from "@/components/use-action.ts";
import { counted } from "@/lib/counted.ts";
import type { SourceFilter } from "@/lib/knowledge/browse/browse-query.ts";
import { deleteSourcesAction, reindexSourcesAction, restoreSourcesAction } from "./actions.ts";

const UNDO_MS = 10_000;

/** Sources to change, with the filter by which they were chosen. */
export interface ChosenSources {
  ids: string[];
  filter?: SourceFilter;
}

/** Deletes, restores and re-indexes sources. The toast of a deletion offers Undo. */
export function useSourceActions(onDone?: () => void) {
  const restored = { toastError: true, success: (ids: string[]) => `${sources(ids)} restored` };
  const restore = useAction(restoreSourcesAction, { ...restored, ...(onDone && { onSuccess: onDone }) });
  // without `onDone`: by then, other sources may be selected
  const { run: undo } = useAction(restoreSourcesAction, restored);
  const remove = useAction(deleteSourcesAction, {
    toastError: true,
    onSuccess: (ids, chosen) => {
      notify(`${sources(ids)} deleted`, {
        kind: "message",
        durationMs: UNDO_MS,
        description: afterDeletion(ids.length, chosen.ids.length),
        ...(ids.length > 0 && { action: { label: "Undo", onClick: () => void undo({ ids }) } }),
      });
      onDone?.();
    },
  });
  const reindex = useAction(reindexSourcesAction, {
    toastError: true,
    success: (accepted) => `${sources(accepted)} queued for re-indexing`,
    ...(onDone && { onSuccess: onDone }),
  });
  return { remove, restore, reindex };
}

function sources({ length }: unknown[]): string {
  return counted(length, "source");
}

function afterDeletion(deleted: number, chosen: number): string {
  const restorable =
    deleted === 1
      ? "It is no longer searchable. You can restore it for 24 hours."
      : "They are no longer searchable. You can restore them for 24 hours.";
  return [restorable, leftOutWords(chosen - deleted)].filter(Boolean).join(" ");
}

/** "2 sources were left out. They …", or nothing when a change reached all chosen sources. */
export function leftOutWords(count: number): string {
  if (count <= 0) return "";
  const [were, they] = count === 1 ? ["was", "It"] : ["were", "They"];
  return `${counted(count, "source")} ${were} left out. ${they} had changed or could not be saved.`;
}
