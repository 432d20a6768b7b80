"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/use-action.ts";
import type { AnsweredIn } from "@/lib/knowledge/intake/find-answered.ts";
import { mergeQuestionAction } from "../actions.ts";
import { AnsweredDialog } from "./answered-dialog.tsx";

interface ReplaceDialogProps {
  /** The source that answers the question already. */
  existing: AnsweredIn;
  /** The new answer, with its question. */
  written: { question: string; answer: string; alternatives: string };
  /** Whether the new answer is being added beside the existing one. */
  pending: boolean;
  onKeepBoth: () => void;
  onClose: () => void;
}

/** Asks whether a new answer replaces the existing one, and does so. */
export function ReplaceDialog({ existing, written, pending, onKeepBoth, onClose }: ReplaceDialogProps) {
  const router = useRouter();
  const { question, answer, alternatives } = written;
  const merge = useAction(mergeQuestionAction, {
    success: "Answer replaced in a new version",
    onSuccess: ({ id }) => router.push(`/knowledge/${id}`),
  });
  return (
    <AnsweredDialog
      existing={existing}
      answer={answer}
      pending={pending || merge.pending}
      error={merge.error}
      onKeepBoth={onKeepBoth}
      onReplace={() =>
        void merge.run({ id: existing.id, versionId: existing.versionId, question, answer, alternatives })
      }
      onClose={onClose}
    />
  );
}
