"use client";

import { useRef } from "react";
import { notify } from "@/components/notify.ts";
import { useAction } from "@/components/use-action.ts";
import { counted } from "@/lib/counted.ts";
import { deleteSourcesAction, reindexSourcesAction, restoreSourcesAction } from "./actions.ts";

const UNDO_MS = 10_000;

/** What can be done with sources from any page. Deleting offers its undo; the list of the deleted has it for a day. */
export function useSourceActions(onDone?: () => void) {
  const restore = useAction(restoreSourcesAction, {
    toastError: true,
    success: (ids) => `${sources(ids)} restored`,
    ...(onDone && { onSuccess: onDone }),
  });
  // the toast outlives the row that it came from
  const undo = useRef(restore.run);
  undo.current = restore.run;
  const remove = useAction(deleteSourcesAction, {
    toastError: true,
    onSuccess: (ids) => {
      notify(`${sources(ids)} deleted`, {
        kind: "message",
        durationMs: UNDO_MS,
        description: "Retrieval no longer finds it. It can be restored for a day.",
        action: { label: "Undo", onClick: () => void undo.current({ ids }) },
      });
      onDone?.();
    },
  });
  const reindex = useAction(reindexSourcesAction, {
    toastError: true,
    success: (accepted) => `${sources(accepted)} will be read again`,
    ...(onDone && { onSuccess: onDone }),
  });
  return { remove, restore, reindex };
}

function sources({ length }: unknown[]): string {
  return counted(length, "source");
}
