"use client";

import { useState } from "react";
import { focusPageTitle } from "@/components/focus-page-title.ts";
import { lazyComponent } from "@/components/lazy-component.tsx";
import type { MenuEntry } from "@/components/menu.tsx";
import { RowMenu } from "@/components/row-menu.tsx";
import { Button } from "@/components/ui/button.tsx";
import { OptionSelect } from "@/components/ui/option-select.tsx";
import { useAction } from "@/components/use-action.ts";
import { changeGapAction } from "../actions.ts";

const DismissDialog = lazyComponent(() => import("./dismiss-dialog.tsx").then((module) => module.DismissDialog));

/** A member to whom questions can be assigned. */
export interface Assignable {
  id: string;
  name: string;
}

interface GapActionsProps {
  id: string;
  question: string;
  assigneeId: string | null;
  members: Assignable[];
  /** Whether the gap is snoozed or dismissed. */
  isHidden: boolean;
  /** Whether the list holds only what is assigned to the member. */
  isMine: boolean;
}

const SNOOZES = [
  { days: 1, label: "Snooze for a day" },
  { days: 7, label: "Snooze for 7 days" },
  { days: 30, label: "Snooze for 30 days" },
] as const;

export function GapActions({ id, question, assigneeId, members, isHidden, isMine }: GapActionsProps) {
  const [isDismissing, setDismissing] = useState(false);
  const { run, pending } = useAction(changeGapAction, {
    toastError: true,
    success: "Question updated",
    // the question leaves the list, unless it is only assigned, and listed for everyone
    onSuccess: (_, change) => (change.do !== "assign" || isMine) && focusPageTitle(),
  });
  const entries: MenuEntry[] = [
    ...SNOOZES.map(({ days, label }) => ({
      kind: "item" as const,
      label,
      onSelect: () => void run({ do: "snooze", id, days }),
    })),
    { kind: "separator" },
    { kind: "item", label: "Dismiss…", onSelect: () => setDismissing(true) },
  ];
  return (
    <span className="flex items-center gap-2">
      <OptionSelect
        aria-label={`Assignee of ${question}`}
        className="w-48"
        options={members.map((member) => ({ value: member.id, label: member.name }))}
        none="Not assigned"
        unknown="A former member"
        value={assigneeId}
        aria-busy={pending}
        onChange={(userId) => void run({ do: "assign", id, userId })}
      />
      {isHidden ? (
        <Button variant="secondary" size="sm" pending={pending} onClick={() => void run({ do: "reopen", id })}>
          Reopen
        </Button>
      ) : (
        <RowMenu label={`Actions for ${question}`} entries={entries} />
      )}
      {isDismissing && <DismissDialog id={id} onClose={() => setDismissing(false)} />}
    </span>
  );
}
