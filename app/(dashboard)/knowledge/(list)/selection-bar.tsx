"use client";

import { useRef, useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";
import { keepFocus } from "@/components/ui/return-focus.tsx";
import { useAction } from "@/components/use-action.ts";
import { counted, countText } from "@/lib/counted.ts";
import type { SourceFilter } from "@/lib/knowledge/browse/browse-query.ts";
import { SOURCES_PER_PAGE } from "@/lib/knowledge/values.ts";
import { matchingSourcesAction } from "../actions.ts";
import { useSourceActions } from "../use-source-actions.ts";

const LabelsDialog = lazyComponent(() => import("./labels-dialog.tsx").then((module) => module.LabelsDialog));
const ConfirmDialog = lazyComponent(() =>
  import("@/components/confirm-dialog.tsx").then((module) => module.ConfirmDialog),
);

const VerifyDialog = lazyComponent(() => import("../verify-dialog.tsx").then((module) => module.VerifyDialog));

interface SelectionBarProps {
  ids: string[];
  filter: SourceFilter;
  /** Sources that pass the filter. */
  total: number;
  onSelect: (ids: string[]) => void;
  onDone: () => void;
}

/** Actions for the selected sources, at the bottom of the window. */
export function SelectionBar({ ids, filter, total, onSelect, onDone }: SelectionBarProps) {
  const [dialog, setDialog] = useState<"labels" | "verify" | "delete" | null>(null);
  const { remove, restore, reindex } = useSourceActions(onDone);
  const bar = useRef<HTMLElement>(null);
  const selectAll = useRef<HTMLButtonElement>(null);
  const matching = useAction(matchingSourcesAction, {
    toastError: true,
    onSuccess: (all) => {
      onSelect(all);
      const focused = document.activeElement;
      // the button is removed
      if (focused === selectAll.current || focused === document.body) bar.current?.focus();
    },
  });
  const chosen = { ids, filter };
  const selected = counted(ids.length, "source");
  // one page of sources needs no confirmation: its rows are visible, and a deletion can be undone
  const needsConfirmation = ids.length > SOURCES_PER_PAGE;
  return (
    <section
      ref={bar}
      tabIndex={-1}
      aria-label="Selected sources"
      className="sticky bottom-4 z-20 mx-auto flex max-w-full flex-wrap items-center gap-2 rounded-lg border border-border bg-raised p-2 pl-4 shadow-lg outline-none"
    >
      <span aria-live="polite" className="tabular mr-2 font-medium">
        {countText(ids.length)} selected
      </span>
      {total > ids.length && (
        <Button
          ref={selectAll}
          size="sm"
          variant="ghost"
          pending={matching.pending}
          onClick={() => void matching.run(filter)}
        >
          Select all {countText(total)} that match
        </Button>
      )}
      {filter.status === "deleted" ? (
        <Button size="sm" variant="secondary" pending={restore.pending} onClick={() => void restore.run(chosen)}>
          Restore
        </Button>
      ) : (
        <>
          <Button size="sm" variant="secondary" onClick={() => setDialog("labels")}>
            Change labels
          </Button>
          {filter.type === "qa" && (
            <Button size="sm" variant="secondary" onClick={() => setDialog("verify")}>
              Verify
            </Button>
          )}
          <Button size="sm" variant="secondary" pending={reindex.pending} onClick={() => void reindex.run(chosen)}>
            Re-index
          </Button>
          <Button
            size="sm"
            variant="danger"
            pending={remove.pending}
            onClick={() => (needsConfirmation ? setDialog("delete") : void remove.run(chosen))}
          >
            Delete
          </Button>
        </>
      )}
      <Button
        size="sm"
        variant="ghost"
        onClick={() => {
          keepFocus();
          onDone();
        }}
      >
        Cancel
      </Button>
      {dialog === "verify" && (
        <VerifyDialog
          {...chosen}
          onClose={(verified) => {
            setDialog(null);
            if (verified) onDone();
          }}
        />
      )}
      {dialog === "labels" && (
        <LabelsDialog
          chosen={chosen}
          onClose={(changed) => {
            setDialog(null);
            if (changed) onDone();
          }}
        />
      )}
      {dialog === "delete" && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setDialog(null)}
          title={`Delete ${selected}?`}
          description={`Requests will no longer find these ${selected}. You can restore them for 24 hours.`}
          typed={String(ids.length)}
          confirm={`Delete ${selected}`}
          pending={remove.pending}
          error={remove.error}
          onConfirm={() => void remove.run(chosen)}
        />
      )}
    </section>
  );
}
