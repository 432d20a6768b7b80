"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { useAction } from "@/components/use-action.ts";
import type { SaveTestQuestionInput } from "@/lib/test-questions/schema.ts";
import { deleteTestQuestionAction } from "./actions.ts";
import type { KeyOption } from "./key-options.ts";

const ConfirmDialog = lazyComponent(() =>
  import("@/components/confirm-dialog.tsx").then((module) => module.ConfirmDialog),
);
const QuestionDialog = lazyComponent(() => import("./question-dialog.tsx").then((module) => module.QuestionDialog));

/** The values of a test question that is there. */
export type ShownQuestion = SaveTestQuestionInput & { id: string };

interface Asked {
  change: "edit" | "delete";
  question: ShownQuestion;
}

const AskContext = createContext<(asked: Asked) => void>(() => undefined);

/** Opens a dialog of the nearest `QuestionDialogs`. */
export function useAskChange(): (asked: Asked) => void {
  return useContext(AskContext);
}

/** The dialogs of the menus in it. They stay open when their test question leaves the list. */
export function QuestionDialogs({ keys, children }: { keys: KeyOption[]; children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <AskContext value={setAsked}>
      {children}
      {asked?.change === "edit" && <QuestionDialog keys={keys} values={asked.question} onClose={close} />}
      {asked?.change === "delete" && <DeleteDialog question={asked.question} onClose={close} />}
    </AskContext>
  );
}

function DeleteDialog({ question, onClose }: { question: ShownQuestion; onClose: () => void }) {
  const { run, pending, error } = useAction(deleteTestQuestionAction, {
    success: "Test question deleted",
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Delete this test question?"
      description={<p>“{question.question}” will no longer run. Its share in past pass rates stays.</p>}
      confirm="Delete test question"
      pending={pending}
      error={error}
      onConfirm={() => void run({ id: question.id })}
    />
  );
}
