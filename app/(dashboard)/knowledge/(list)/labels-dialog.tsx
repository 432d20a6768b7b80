"use client";

import { useState } from "react";
import { DialogForm } from "@/components/dialog-form.tsx";
import { notify } from "@/components/notify.ts";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { TagsInput } from "@/components/ui/tags-input.tsx";
import { CheckboxField } from "@/components/ui/toggle-field.tsx";
import { useAction } from "@/components/use-action.ts";
import { counted } from "@/lib/counted.ts";
import { relabelSourcesAction, undoRelabelAction } from "../actions.ts";
import { WidenDialog, widenQuestion } from "../widen-dialog.tsx";

const UNDO_MS = 10_000;

interface LabelsDialogProps {
  ids: string[];
  onClose: (changed: boolean) => void;
}

/** Changes the labels of several sources. Each source keeps the labels that are not ticked. */
export function LabelsDialog({ ids, onClose }: LabelsDialogProps) {
  const [audience, setAudience] = useState<string[] | null>(null);
  const [category, setCategory] = useState<string | null>(null);
  const undo = useAction(undoRelabelAction, {
    toastError: true,
    success: (undone) => `Labels of ${counted(undone.length, "source")} restored`,
  });
  const [question, setQuestion] = useState<string | null>(null);
  const { run, pending, error, reset } = useAction(relabelSourcesAction, {
    onError: (_, issues) => setQuestion(widenQuestion(issues)),
    onSuccess: (done) => {
      const versionIds = done.flatMap(({ changes, versionId }) => (changes.length > 0 ? versionId : []));
      notify(`Labels of ${counted(versionIds.length, "source")} changed`, {
        durationMs: UNDO_MS,
        ...(versionIds.length > 0 && { action: { label: "Undo", onClick: () => void undo.run({ versionIds }) } }),
      });
      onClose(true);
    },
  });
  const isReady = audience !== null || Boolean(category?.trim());

  function submit(widen: boolean): void {
    if (!isReady) return;
    void run({ ids, widen, ...(audience && { audience }), ...(category?.trim() && { contentCategory: category }) });
  }

  if (question) {
    return (
      <WidenDialog
        question={question}
        confirm="Change labels"
        pending={pending}
        onConfirm={() => submit(true)}
        onCancel={() => {
          setQuestion(null);
          reset();
        }}
      />
    );
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose(false)}>
      <DialogContent
        title={`Change labels of ${counted(ids.length, "source")}`}
        description="Each label you tick replaces that label on every selected source. Their chunks do not change."
      >
        <DialogForm
          onSubmit={() => submit(false)}
          confirm="Change labels"
          disabled={!isReady}
          pending={pending}
          error={error}
        >
          <CheckboxField
            label="Set the audience"
            checked={audience !== null}
            onCheckedChange={(checked) => setAudience(checked ? [] : null)}
          />
          {audience !== null && (
            <Field label="Audience" hint="Without an audience, only requests without an audience filter find them.">
              {(control) => (
                <TagsInput {...control} value={audience} onChange={setAudience} placeholder="Add an audience" />
              )}
            </Field>
          )}
          <CheckboxField
            label="Set the category"
            checked={category !== null}
            onCheckedChange={(checked) => setCategory(checked ? "" : null)}
          />
          {category !== null && (
            <Field label="Category">
              {(control) => (
                <Input {...control} value={category} onChange={({ target }) => setCategory(target.value)} />
              )}
            </Field>
          )}
        </DialogForm>
      </DialogContent>
    </Dialog>
  );
}
