"use client";

import X from "lucide-react/icons/x";
import { focusPageTitle } from "@/components/focus-page-title.ts";
import { RelativeTime } from "@/components/relative-time.tsx";
import { Button } from "@/components/ui/button.tsx";
import { useAction } from "@/components/use-action.ts";
import { counted } from "@/lib/counted.ts";
import type { LastRelabel } from "@/lib/knowledge/intake/last-relabel.ts";
import { dismissUndoAction } from "../actions.ts";
import { useUndoRelabel } from "./use-undo-relabel.ts";

/** Offers to undo the member's last change of labels after its toast is gone. */
export function LastRelabelNotice({ relabel: { id, at, sources } }: { relabel: LastRelabel }) {
  const { run, pending } = useUndoRelabel();
  const dismiss = useAction(dismissUndoAction, {
    toastError: true,
    onSuccess: focusPageTitle,
  });
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-muted text-sm">
      <span>
        You changed the labels of {counted(sources, "source")} <RelativeTime date={at} />.
      </span>
      <Button
        size="sm"
        variant="ghost"
        className="max-sm:-ml-3"
        pending={pending}
        onClick={() => void run({ relabelId: id })}
      >
        Undo label change
      </Button>
      <Button
        size="icon-sm"
        variant="ghost"
        aria-label="Dismiss this message"
        title="Dismiss this message"
        pending={dismiss.pending}
        onClick={() => void dismiss.run({ relabelId: id })}
      >
        <X aria-hidden />
      </Button>
    </p>
  );
}
