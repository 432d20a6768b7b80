"use client";

import { useRouter } from "next/navigation";
import { FormProvider } from "react-hook-form";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { addQuestionAction } from "../actions.ts";
import { AddForm, SHARED_DEFAULTS } from "./add-form.tsx";
import type { AddProps } from "./add-props.ts";

export function AddQuestion({ question, ...labels }: AddProps & { question: string }) {
  const router = useRouter();
  const { form, register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/knowledge/intake/edit-input.ts").then(({ writtenQuestionInput }) => writtenQuestionInput),
    addQuestionAction,
    {
      defaultValues: { ...SHARED_DEFAULTS, question, answer: "", alternatives: "" },
      success: "Question added",
      onSuccess: (added) => added && router.push(`/knowledge/${added.id}`),
    },
  );
  return (
    <FormProvider {...form}>
      <AddForm
        {...labels}
        confirm="Add question"
        identifierHint="Your own identifier for this answer. The API returns it as sourceId. Adding the same identifier again replaces this answer."
        submit={submit}
        pending={pending}
        error={error}
        errorOf={errorOf}
      >
        <Field label="Question" error={errorOf("question")} required>
          {(control) => (
            <Input {...control} {...register("question")} placeholder="How do I cancel?" autoComplete="off" />
          )}
        </Field>
        <Field label="Answer" error={errorOf("answer")} required>
          {(control) => <Textarea {...control} {...register("answer")} className="max-h-[50vh] min-h-32" />}
        </Field>
        <Field
          label="Other phrasings"
          optional
          error={errorOf("alternatives")}
          hint="One per line. They help to find the answer and are not shown with it."
        >
          {(control) => <Textarea {...control} {...register("alternatives")} />}
        </Field>
      </AddForm>
    </FormProvider>
  );
}
