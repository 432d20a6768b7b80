"use client";

import { createCompanyAction } from "@/app/(dashboard)/actions.ts";
import { DialogForm } from "@/components/dialog-form.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { companyNameInput } from "@/lib/companies/schema.ts";

/** Creates a company with the person as its admin, and switches to it. */
export function CreateCompanyDialog({ onClose }: { onClose: () => void }) {
  const { register, submit, pending, error, errorOf } = useActionForm(companyNameInput, createCompanyAction, {
    defaultValues: { name: "" },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Create a company"
        description="The company starts with an empty knowledge base and its own keys and members. You will be its admin."
      >
        <DialogForm onSubmit={submit} confirm="Create company" pending={pending} error={error}>
          <Field label="Name" error={errorOf("name")} required>
            {(control) => <Input {...control} {...register("name")} autoComplete="organization" autoFocus />}
          </Field>
        </DialogForm>
      </DialogContent>
    </Dialog>
  );
}
