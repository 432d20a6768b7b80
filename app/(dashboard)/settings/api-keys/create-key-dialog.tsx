"use client";

import { useState } from "react";
import { FormProvider } from "react-hook-form";
import { DialogForm } from "@/components/dialog-form.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { createKeyInput } from "@/lib/api-keys/schema.ts";
import type { CreatedKey } from "@/lib/api-keys/service.ts";
import type { Labels } from "@/lib/knowledge/browse/list-labels.ts";
import { AccessFields } from "./access-fields.tsx";
import { createKeyAction } from "./actions.ts";
import { DEFAULT_EXPIRY, expiryDate } from "./expiry-field.tsx";
import { RevealKey } from "./reveal-key.tsx";

interface CreateKeyDialogProps {
  labels: Labels;
  publicUrl: string;
  created: CreatedKey | null;
  onCreated: (key: CreatedKey) => void;
  onClose: () => void;
}

export function CreateKeyDialog({ labels, publicUrl, created, onCreated, onClose }: CreateKeyDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={created ? "Save your key" : "Create an API key"}
        description={created ? undefined : "The key is shown once, after you create it."}
        locked={created !== null}
        className="max-w-xl"
      >
        {created ? (
          <RevealKey created={created} publicUrl={publicUrl} onSaved={onClose} />
        ) : (
          <CreateKeyForm labels={labels} onCreated={onCreated} />
        )}
      </DialogContent>
    </Dialog>
  );
}

function CreateKeyForm({ labels, onCreated }: { labels: Labels; onCreated: (key: CreatedKey) => void }) {
  const [expiresAt] = useState(() => expiryDate(DEFAULT_EXPIRY));
  const { form, register, submit, pending, error, errorOf } = useActionForm(createKeyInput, createKeyAction, {
    defaultValues: { name: "", expiresAt, scopes: ["retrieve"], policy: {} },
    onSuccess: onCreated,
  });
  return (
    <DialogForm onSubmit={submit} confirm="Create key" pending={pending} error={error}>
      <Field label="Name" hint="The system that will use this key." error={errorOf("name")} required>
        {(control) => (
          <Input {...control} {...register("name")} autoComplete="off" placeholder="Website chatbot" autoFocus />
        )}
      </Field>
      <FormProvider {...form}>
        <AccessFields labels={labels} errorOf={errorOf} />
      </FormProvider>
    </DialogForm>
  );
}
