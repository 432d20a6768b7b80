"use client";

import { useRouter } from "next/navigation";
import { FormProvider } from "react-hook-form";
import { DialogForm } from "@/components/dialog-form.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import type { SourceDetails } from "@/lib/knowledge/browse/source-page.ts";
import { sourceLabelsInput } from "@/lib/knowledge/intake/edit-input.ts";
import { pathText } from "@/lib/label-text.ts";
import { relabelSourceAction } from "../actions.ts";
import { FormLabelFields } from "../form-label-fields.tsx";
import type { KnownLabels } from "../label-fields.tsx";

interface EditLabelsProps {
  source: SourceDetails;
  known: KnownLabels;
  onClose: () => void;
}

export function EditLabels({ source, known, onClose }: EditLabelsProps) {
  const router = useRouter();
  const { form, register, submit, pending, error, errorOf } = useActionForm(sourceLabelsInput, relabelSourceAction, {
    defaultValues: {
      id: source.id,
      // of the labels below, even once the page shows a newer version
      versionId: source.versionId,
      audience: source.audience,
      contentCategory: source.category,
      path: pathText(source.path),
      metadata: asJson(source.givenMetadata),
    },
    success: "Labels saved",
    onSuccess: onClose,
  });
  const cancel = () => {
    // the source may have changed since the page was loaded
    if (error) router.refresh();
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && cancel()}>
      <DialogContent title="Edit labels" description="The chunks do not change." className="max-w-2xl">
        <DialogForm onSubmit={submit} confirm="Save labels" pending={pending} error={error}>
          <FormProvider {...form}>
            <FormLabelFields known={known} errorOf={errorOf} />
          </FormProvider>
          <Field
            label="Metadata"
            error={errorOf("metadata")}
            hint="JSON. The API returns it with every chunk, so keep secrets out of it."
          >
            {(control) => (
              <Textarea
                {...control}
                {...register("metadata")}
                spellCheck={false}
                className="max-h-72 min-h-28 font-mono text-sm"
              />
            )}
          </Field>
          {Object.keys(source.readMetadata).length > 0 && <ReadMetadata values={source.readMetadata} />}
        </DialogForm>
      </DialogContent>
    </Dialog>
  );
}

function ReadMetadata({ values }: { values: SourceDetails["readMetadata"] }) {
  return (
    <Field
      label="Read from the content"
      hint="Every new version updates these values. To replace a value, add its key to the metadata above."
    >
      {(control) => (
        <Textarea
          {...control}
          readOnly
          value={asJson(values)}
          spellCheck={false}
          className="max-h-72 min-h-0 font-mono text-sm"
        />
      )}
    </Field>
  );
}

function asJson(values: Record<string, unknown>): string {
  return JSON.stringify(values, null, 2);
}
