"use client";

import { useState } from "react";
import { DialogForm } from "@/components/dialog-form.tsx";
import { errorBesideFields, issueAt } from "@/components/field-errors.ts";
import { notifyBulk } from "@/components/notify-bulk.ts";
import { DayInput } from "@/components/ui/day-input.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { useAction } from "@/components/use-action.ts";
import { counted } from "@/lib/counted.ts";
import { dayOf } from "@/lib/durations.ts";
import type { SourceFilter } from "@/lib/knowledge/browse/browse-query.ts";
import { VERIFIED_AT_ONCE } from "@/lib/knowledge/limits.ts";
import { verifyAction } from "./actions.ts";

const TOO_MANY = `At most ${VERIFIED_AT_ONCE} answers can be verified at a time. Select fewer.`;

interface VerifyDialogProps {
  ids: string[];
  /** The version that the page shows, of a single source. */
  versionId?: string;
  /** The filter by which the sources were chosen. */
  filter?: SourceFilter;
  onClose: (verified: boolean) => void;
}

/** Verifies the answers of questions, until a day or without an end. */
export function VerifyDialog({ ids, versionId, filter, onClose }: VerifyDialogProps) {
  const [until, setUntil] = useState<string | null>(null);
  const [isValid, setValid] = useState(true);
  // the page behind the dialog may load a newer version
  const [readVersionId] = useState(versionId);
  const { run, pending, error, issues } = useAction(verifyAction, {
    onSuccess: (done, chosen) => {
      notifyBulk(
        { done, leftOut: chosen.ids.length - done },
        {
          success: `${counted(done, "answer")} verified`,
          nothing: "Nothing was verified",
          reason: "had changed or had no ready answer",
        },
      );
      onClose(true);
    },
  });
  const name = ids.length === 1 ? "answer" : "answers";
  const isTooMany = ids.length > VERIFIED_AT_ONCE;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose(false)}>
      <DialogContent
        title={ids.length === 1 ? "Verify answer" : `Verify ${counted(ids.length, "answer")}`}
        description="Questions that ask the same get a verified answer word for word, without a language model. An edited answer has to be verified again."
      >
        <DialogForm
          confirm={`Verify ${name}`}
          disabled={!isValid || isTooMany}
          pending={pending}
          error={isTooMany ? TOO_MANY : errorBesideFields(error, issues, ["until"])}
          onSubmit={() => void run({ ids, until, versionId: readVersionId, filter })}
        >
          <Field
            label="Valid until"
            optional
            error={issueAt(issues, "until")}
            hint="The last day, in UTC. After it, the answer is listed as due for review."
          >
            {(control) => (
              <DayInput
                {...control}
                label="Valid until"
                min={dayOf(new Date())}
                value={until}
                onChange={(day, isAllowed) => {
                  setUntil(day);
                  setValid(isAllowed);
                }}
              />
            )}
          </Field>
        </DialogForm>
      </DialogContent>
    </Dialog>
  );
}
