"use client";

import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { RowMenu } from "@/components/row-menu.tsx";
import { useAction } from "@/components/use-action.ts";
import type { SaveTestQuestionInput } from "@/lib/test-questions/schema.ts";
import { deleteTestQuestionAction } from "./actions.ts";
import type { KeyOption } from "./key-options.ts";

const QuestionDialog = lazyComponent(() => import("./question-dialog.tsx").then((module) => module.QuestionDialog));
const ConfirmDialog = lazyComponent(() =>
  import("@/components/confirm-dialog.tsx").then((module) => module.ConfirmDialog),
);

interface QuestionMenuProps {
  keys: KeyOption[];
  values: SaveTestQuestionInput & { id: string };
}

/** Edits or deletes a test question. */
export function QuestionMenu({ keys, values }: QuestionMenuProps) {
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const close = () => setOpen(null);
  const { run, pending, error } = useAction(deleteTestQuestionAction, {
    success: "Test question deleted",
    onSuccess: close,
  });
  return (
    <>
      <RowMenu
        label={`Actions for ${values.question.slice(0, 80)}`}
        entries={[
          {
            kind: "link",
            label: "Open in playground",
            href: `/playground?${new URLSearchParams({ q: values.question })}`,
          },
          { kind: "item", label: "Edit", onSelect: () => setOpen("edit") },
          { kind: "separator" },
          { kind: "item", label: "Delete", destructive: true, onSelect: () => setOpen("delete") },
        ]}
      />
      {open === "edit" && <QuestionDialog keys={keys} values={values} onClose={close} />}
      {open === "delete" && (
        <ConfirmDialog
          open
          onOpenChange={close}
          title="Delete this test question?"
          description={<p>“{values.question}” will no longer run. Its share in past pass rates stays.</p>}
          confirm="Delete test question"
          pending={pending}
          error={error}
          onConfirm={() => void run({ id: values.id })}
        />
      )}
    </>
  );
}
