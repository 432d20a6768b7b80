"use client";

import { FormProvider } from "react-hook-form";
import { DialogForm } from "@/components/dialog-form.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { restrictKeyInput } from "@/lib/api-keys/schema.ts";
import type { ApiKey } from "@/lib/api-keys/service.ts";
import type { Labels } from "@/lib/knowledge/browse/list-labels.ts";
import { AccessFields } from "./access-fields.tsx";
import { restrictKeyAction } from "./actions.ts";

interface RestrictDialogProps {
  apiKey: ApiKey;
  labels: Labels;
  onClose: () => void;
}

/** Reduces the access of a key. The service refuses what would add access, with an error at the field. */
export function RestrictDialog({ apiKey, labels, onClose }: RestrictDialogProps) {
  const { id, name, maskedToken, expiresAt, rateLimitPerMinute, scopes, policy } = apiKey;
  const { form, submit, pending, error, errorOf } = useActionForm(restrictKeyInput, restrictKeyAction, {
    defaultValues: { id, expiresAt, rateLimitPerMinute, scopes, policy },
    onSuccess: onClose,
    success: "Key restricted",
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Restrict “${name}”`}
        description={`${maskedToken} can only lose access, from its next request on. For more access, create a new key.`}
        className="max-w-xl"
      >
        <DialogForm onSubmit={submit} confirm="Restrict key" pending={pending} error={error}>
          <FormProvider {...form}>
            <AccessFields current={apiKey} labels={labels} errorOf={errorOf} />
          </FormProvider>
        </DialogForm>
      </DialogContent>
    </Dialog>
  );
}
