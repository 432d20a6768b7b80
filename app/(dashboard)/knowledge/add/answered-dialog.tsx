"use client";

import Link from "next/link";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from "@/components/ui/dialog.tsx";
import type { AnsweredIn } from "@/lib/knowledge/intake/find-answered.ts";
import { joinPath } from "@/lib/label-text.ts";

interface AnsweredDialogProps {
  /** The source that answers the question already. */
  existing: AnsweredIn;
  /** The new answer. */
  answer: string;
  pending: boolean;
  error: string | null;
  onKeepBoth: () => void;
  /** Missing when the new answer belongs to a source of its own, which would keep the question. */
  onReplace?: () => void;
  onClose: () => void;
}

const CONTRADICTION = "Two answers to one question can contradict each other.";

/** Another source already answers the question: asks whether to replace its answer, where possible, or keep both. */
export function AnsweredDialog({ existing, answer, pending, error, ...on }: AnsweredDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && !pending && on.onClose()}>
      <DialogContent
        title="This question already has an answer"
        description={
          on.onReplace
            ? `${CONTRADICTION} Replace the existing answer, or keep both if they are meant for different audiences.`
            : `${CONTRADICTION} Keep both if they are meant for different audiences. Otherwise cancel, and edit or delete one of the sources.`
        }
        className="max-w-2xl"
      >
        <DialogBody>
          <p>
            Already answered in{" "}
            <Link
              href={`/knowledge/${existing.id}`}
              target="_blank"
              className="text-accent underline underline-offset-4"
            >
              {existing.question}
            </Link>
          </p>
          <dl className="grid gap-4 sm:grid-cols-2">
            <Answer name="Existing answer" text={existing.answer} />
            <Answer name="New answer" text={answer} />
          </dl>
          <p className="text-muted text-sm">{keptWords(existing, Boolean(on.onReplace))}</p>
          <ErrorMessage>{error}</ErrorMessage>
        </DialogBody>
        <DialogFooter>
          <DialogClose asChild>
            <Button variant="ghost" disabled={pending}>
              Cancel
            </Button>
          </DialogClose>
          <Button variant="secondary" disabled={pending} onClick={on.onKeepBoth}>
            Keep both
          </Button>
          {on.onReplace && (
            <Button pending={pending} onClick={on.onReplace}>
              Replace existing answer
            </Button>
          )}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

/** The labels of the existing answer, and what a replacement does to it. */
function keptWords({ audience, contentCategory, path, isVerified }: AnsweredIn, canReplace: boolean): string {
  const labels = [audience.join(", "), contentCategory, joinPath(path)].filter(Boolean).join(" · ");
  return [
    `Labels of the existing answer: ${labels}.`,
    canReplace && "A replacement keeps them.",
    isVerified && "The existing answer is verified.",
    isVerified && canReplace && "Once it is replaced, an admin has to verify it again.",
  ]
    .filter(Boolean)
    .join(" ");
}

function Answer({ name, text }: { name: string; text: string }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="font-medium text-muted text-sm">{name}</dt>
      <dd className="wrap-anywhere max-h-60 overflow-y-auto whitespace-pre-line rounded-md border border-border bg-subtle px-3 py-2">
        {text}
      </dd>
    </div>
  );
}
