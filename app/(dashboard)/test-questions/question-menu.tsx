"use client";

import { RowMenu } from "@/components/row-menu.tsx";
import { type ShownQuestion, useAskChange } from "./question-dialogs.tsx";

/** Edits or deletes a test question. */
export function QuestionMenu({ question }: { question: ShownQuestion }) {
  const ask = useAskChange();
  return (
    <RowMenu
      label={`Actions for ${question.question.slice(0, 80)}`}
      entries={[
        { kind: "link", label: "Open in playground", href: `/playground?test=${question.id}` },
        { kind: "item", label: "Edit", onSelect: () => ask({ change: "edit", question }) },
        { kind: "separator" },
        { kind: "item", label: "Delete", destructive: true, onSelect: () => ask({ change: "delete", question }) },
      ]}
    />
  );
}
