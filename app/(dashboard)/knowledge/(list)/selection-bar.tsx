"use client";

import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";
import type { SourceRow } from "@/lib/knowledge/browse/browse.ts";
import { useSourceActions } from "../use-source-actions.ts";

const LabelsDialog = lazyComponent(() => import("./labels-dialog.tsx").then((module) => module.LabelsDialog));

interface SelectionBarProps {
  selected: SourceRow[];
  onDone: () => void;
}

/** Actions for the selected rows, at the bottom of the window. */
export function SelectionBar({ selected, onDone }: SelectionBarProps) {
  const [isLabelling, setLabelling] = useState(false);
  const { remove, restore, reindex } = useSourceActions(onDone);
  const ids = selected.map(({ id }) => id);
  const areDeleted = selected.every(({ status }) => status === "deleted");
  return (
    <section
      aria-label="Selected sources"
      className="sticky bottom-4 z-20 mx-auto flex max-w-full flex-wrap items-center gap-2 rounded-lg border border-border bg-raised p-2 pl-4 shadow-lg"
    >
      <span className="tabular mr-2 font-medium">{selected.length} selected</span>
      {areDeleted ? (
        <Button size="sm" variant="secondary" pending={restore.pending} onClick={() => void restore.run({ ids })}>
          Restore
        </Button>
      ) : (
        <>
          <Button size="sm" variant="secondary" onClick={() => setLabelling(true)}>
            Change labels
          </Button>
          <Button size="sm" variant="secondary" pending={reindex.pending} onClick={() => void reindex.run({ ids })}>
            Re-index
          </Button>
          <Button size="sm" variant="danger" pending={remove.pending} onClick={() => void remove.run({ ids })}>
            Delete
          </Button>
        </>
      )}
      <Button size="sm" variant="ghost" onClick={onDone}>
        Cancel
      </Button>
      {isLabelling && (
        <LabelsDialog
          ids={ids}
          onClose={(changed) => {
            setLabelling(false);
            if (changed) onDone();
          }}
        />
      )}
    </section>
  );
}
