"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { notify } from "@/components/notify.ts";
import { Button } from "@/components/ui/button.tsx";
import { useAction } from "@/components/use-action.ts";
import type { SuggestedContent } from "@/lib/db/stored-json.ts";
import type { AnsweredIn } from "@/lib/knowledge/intake/find-answered.ts";
import { acceptSuggestionAction } from "./actions.ts";

const AnsweredDialog = lazyComponent(() =>
  import("../add/answered-dialog.tsx").then((module) => module.AnsweredDialog),
);
const DeclineDialog = lazyComponent(() => import("./decline-dialog.tsx").then((module) => module.DeclineDialog));

interface DecideButtonsProps {
  id: string;
  /** The version that the suggestion is compared with. */
  versionId: string | null;
  content: SuggestedContent;
  canAccept: boolean;
}

export function DecideButtons({ id, versionId, content, canAccept }: DecideButtonsProps) {
  const router = useRouter();
  const [answeredIn, setAnsweredIn] = useState<AnsweredIn | null>(null);
  const [isDeclining, setDeclining] = useState(false);
  const { run, pending, error } = useAction(acceptSuggestionAction, {
    toastError: true,
    onSuccess: (outcome) => {
      if ("answeredIn" in outcome) return setAnsweredIn(outcome.answeredIn);
      notify("Suggestion accepted");
      router.push(`/knowledge/${outcome.id}`);
    },
  });
  return (
    <span className="flex gap-2">
      <Button variant="secondary" size="sm" disabled={pending} onClick={() => setDeclining(true)}>
        Decline
      </Button>
      {canAccept && (
        <Button size="sm" pending={pending} onClick={() => void run({ id, versionId })}>
          Accept
        </Button>
      )}
      {isDeclining && <DeclineDialog id={id} onClose={() => setDeclining(false)} />}
      {answeredIn && content.kind === "qa" && (
        <AnsweredDialog
          existing={answeredIn}
          answer={content.answer}
          pending={pending}
          error={error}
          onKeepBoth={() => void run({ id, versionId, keepBoth: true })}
          onReplace={() =>
            void run({ id, versionId, mergeInto: { id: answeredIn.id, versionId: answeredIn.versionId } })
          }
          onClose={() => setAnsweredIn(null)}
        />
      )}
    </span>
  );
}
