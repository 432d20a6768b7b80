"use client";

import { useRouter } from "next/navigation";
import { FormProvider } from "react-hook-form";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { addTextAction } from "../actions.ts";
import { AddForm, SHARED_DEFAULTS } from "./add-form.tsx";
import type { AddProps } from "./add-props.ts";

export function AddText(labels: AddProps) {
  const router = useRouter();
  const { form, register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/knowledge/intake/edit-input.ts").then(({ pastedTextInput }) => pastedTextInput),
    addTextAction,
    {
      defaultValues: { ...SHARED_DEFAULTS, title: "", content: "" },
      success: "Text added",
      onSuccess: (added) => added && router.push(`/knowledge/${added.id}`),
    },
  );
  return (
    <FormProvider {...form}>
      <AddForm
        {...labels}
        confirm="Add text"
        identifierHint="Your own identifier for this text. The API returns it as sourceId. Adding the same identifier again replaces this text."
        submit={submit}
        pending={pending}
        error={error}
        errorOf={errorOf}
      >
        <Field label="Title" error={errorOf("title")} required>
          {(control) => <Input {...control} {...register("title")} autoComplete="off" />}
        </Field>
        <Field label="Text" error={errorOf("content")} required hint="Markdown headings become the chunks' headings.">
          {(control) => <Textarea {...control} {...register("content")} className="max-h-[60vh] min-h-56" />}
        </Field>
      </AddForm>
    </FormProvider>
  );
}
