"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { FormProvider } from "react-hook-form";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { notify } from "@/components/notify.ts";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import type { AnsweredIn } from "@/lib/knowledge/intake/find-answered.ts";
import { addQuestionAction } from "../actions.ts";
import { AddForm, SHARED_DEFAULTS } from "./add-form.tsx";
import type { AddProps } from "./add-props.ts";

const ReplaceDialog = lazyComponent(() => import("./replace-dialog.tsx").then((module) => module.ReplaceDialog));

export function AddQuestion({ question, ...labels }: AddProps & { question: string }) {
  const router = useRouter();
  const [answeredIn, setAnsweredIn] = useState<AnsweredIn | null>(null);
  const { form, register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/knowledge/intake/edit-input.ts").then(({ writtenQuestionInput }) => writtenQuestionInput),
    addQuestionAction,
    {
      defaultValues: { ...SHARED_DEFAULTS, question, answer: "", alternatives: "", keepBoth: false },
      onSuccess: (outcome) => {
        if ("answeredIn" in outcome) return setAnsweredIn(outcome.answeredIn);
        notify("Question added");
        router.push(`/knowledge/${outcome.added.id}`);
      },
    },
  );
  return (
    <FormProvider {...form}>
      <AddForm
        {...labels}
        confirm="Add question"
        identifierHint="Your own identifier for this answer. The API returns it as sourceId. Adding the same identifier again replaces this answer."
        submit={submit}
        onSend={() => form.setValue("keepBoth", false)}
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
      {answeredIn && (
        <ReplaceDialog
          existing={answeredIn}
          written={form.getValues()}
          pending={pending}
          onKeepBoth={() => {
            setAnsweredIn(null);
            form.setValue("keepBoth", true);
            void submit();
          }}
          onClose={() => setAnsweredIn(null)}
        />
      )}
    </FormProvider>
  );
}
