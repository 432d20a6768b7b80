"use client";

import { createCompanyAction } from "@/app/(dashboard)/actions.ts";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { companyNameInput } from "@/lib/companies/schema.ts";

/** Makes a company whose admin one is, and goes there. */
export function CreateCompanyDialog({ onClose }: { onClose: () => void }) {
  const { form, submit, pending, error, errorOf } = useActionForm(companyNameInput, createCompanyAction, {
    defaultValues: { name: "" },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Create a company"
        description="It starts with an empty knowledge base, its own keys and members. You are its admin."
      >
        <form onSubmit={submit} className="contents" noValidate>
          <DialogBody>
            <Field label="Name" error={errorOf("name")} required>
              {(control) => <Input {...control} {...form.register("name")} autoComplete="organization" autoFocus />}
            </Field>
            <ErrorMessage>{error}</ErrorMessage>
          </DialogBody>
          <DialogFooter>
            <DialogClose asChild>
              <Button variant="secondary">Cancel</Button>
            </DialogClose>
            <Button type="submit" pending={pending}>
              Create company
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
