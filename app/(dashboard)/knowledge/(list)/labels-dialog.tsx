"use client";

import { useState } from "react";
import { DialogForm } from "@/components/dialog-form.tsx";
import { notify } from "@/components/notify.ts";
import { notifyBulk } from "@/components/notify-bulk.ts";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { NativeSelect } from "@/components/ui/native-select.tsx";
import { TagsInput } from "@/components/ui/tags-input.tsx";
import { CheckboxField } from "@/components/ui/toggle-field.tsx";
import { useAction } from "@/components/use-action.ts";
import { counted } from "@/lib/counted.ts";
import { AUDIENCE_CHANGES, type AudienceChange } from "@/lib/knowledge/values.ts";
import { relabelSourcesAction } from "../actions.ts";
import type { ChosenSources } from "../use-source-actions.ts";
import { WidenDialog, widenQuestion } from "../widen-dialog.tsx";
import { useUndoRelabel } from "./use-undo-relabel.ts";

const UNDO_MS = 10_000;
const CHANGE_WORDS: Record<AudienceChange, { name: string; hint: string }> = {
  replace: { name: "Replace", hint: "Without an audience, only requests without an audience filter find them." },
  add: { name: "Add", hint: "The sources keep the audiences that they have." },
  remove: { name: "Remove", hint: "The sources keep their other audiences." },
};

interface LabelsDialogProps {
  chosen: ChosenSources;
  onClose: (changed: boolean) => void;
}

/** Changes the labels of several sources. Each source keeps the labels that are not ticked. */
export function LabelsDialog({ chosen, onClose }: LabelsDialogProps) {
  const [audience, setAudience] = useState<string[] | null>(null);
  const [audienceChange, setAudienceChange] = useState<AudienceChange>("replace");
  const [path, setPath] = useState<string | null>(null);
  const [category, setCategory] = useState<string | null>(null);
  const undo = useUndoRelabel();
  const [question, setQuestion] = useState<string | null>(null);
  const { run, pending, error, reset } = useAction(relabelSourcesAction, {
    onError: (_, issues) => setQuestion(widenQuestion(issues)),
    onSuccess: ({ relabelId, changed, leftOut }) => {
      if (changed === 0 && leftOut === 0) notify("The sources already have these labels", { kind: "message" });
      else {
        notifyBulk(
          { done: changed, leftOut },
          {
            success: `Labels of ${counted(changed, "source")} changed`,
            nothing: "No labels were changed",
            durationMs: UNDO_MS,
            action: { label: "Undo", onClick: () => void undo.run({ relabelId }) },
          },
        );
      }
      onClose(true);
    },
  });
  // no audience at all can replace others, but cannot be added or removed
  const isAudienceReady = audience !== null && (audienceChange === "replace" || audience.length > 0);
  const isReady = audience === null ? path !== null || Boolean(category?.trim()) : isAudienceReady;

  function submit(widen: boolean): void {
    if (!isReady) return;
    void run({
      ...chosen,
      widen,
      ...(audience && { audience, audienceChange }),
      ...(category?.trim() && { contentCategory: category }),
      ...(path !== null && { path }),
    });
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
        title={`Change labels of ${counted(chosen.ids.length, "source")}`}
        description="Changes the labels that you tick on every selected source. Their chunks do not change."
      >
        <DialogForm
          onSubmit={() => submit(false)}
          confirm="Change labels"
          disabled={!isReady}
          pending={pending}
          error={error}
        >
          <CheckboxField
            label="Change the audience"
            checked={audience !== null}
            onCheckedChange={(checked) => setAudience(checked ? [] : null)}
          />
          {audience !== null && (
            <div className="grid items-start gap-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
              <Field label="Change">
                {(control) => (
                  <NativeSelect
                    {...control}
                    value={audienceChange}
                    onChange={({ target: { value } }) =>
                      setAudienceChange(AUDIENCE_CHANGES.find((change) => change === value) ?? "replace")
                    }
                  >
                    {AUDIENCE_CHANGES.map((change) => (
                      <option key={change} value={change}>
                        {CHANGE_WORDS[change].name}
                      </option>
                    ))}
                  </NativeSelect>
                )}
              </Field>
              <Field label="Audience" hint={CHANGE_WORDS[audienceChange].hint}>
                {(control) => <TagsInput {...control} value={audience} onChange={setAudience} placeholder="copilot" />}
              </Field>
            </div>
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
          <CheckboxField
            label="Set the path"
            checked={path !== null}
            onCheckedChange={(checked) => setPath(checked ? "" : null)}
          />
          {path !== null && (
            <Field label="Path" hint="Separate segments with a slash. If empty, the sources have no path.">
              {(control) => (
                <Input
                  {...control}
                  value={path}
                  onChange={({ target }) => setPath(target.value)}
                  placeholder="Support / Manuals"
                  autoComplete="off"
                />
              )}
            </Field>
          )}
        </DialogForm>
      </DialogContent>
    </Dialog>
  );
}
