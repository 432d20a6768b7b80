"use client";

import { useRouter } from "next/navigation";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardFooter } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { addQuestionAction } from "../actions.ts";
import { LabelFields } from "../label-fields.tsx";
import { WidenDialog } from "../widen-dialog.tsx";
import type { AddProps } from "./add-props.ts";

export function AddQuestion({ known, defaultAudience, question }: AddProps & { question: string }) {
  const router = useRouter();
  const { form, register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/knowledge/intake/edit-input.ts").then(({ writtenQuestionInput }) => writtenQuestionInput),
    addQuestionAction,
    {
      defaultValues: {
        question,
        answer: "",
        alternatives: "",
        sourceId: "",
        audience: [],
        widen: false,
        contentCategory: "",
        path: "",
      },
      success: "Question added",
      onSuccess: (added) => added && router.push(`/knowledge/${added.id}`),
    },
  );
  const [audience, contentCategory, path] = form.watch(["audience", "contentCategory", "path"]);
  return (
    <Card>
      <form onSubmit={submit} noValidate>
        <CardBody className="grid gap-5">
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
          <Field
            label="Identifier"
            optional
            error={errorOf("sourceId")}
            hint="Your own identifier for this answer. The API returns it as sourceId. Adding the same identifier again replaces this answer."
          >
            {(control) => <Input {...control} {...register("sourceId")} autoComplete="off" />}
          </Field>
          <LabelFields
            value={{ audience, contentCategory, path }}
            onChange={(labels) => {
              form.setValue("audience", labels.audience);
              form.setValue("contentCategory", labels.contentCategory);
              form.setValue("path", labels.path);
            }}
            known={known}
            defaultAudience={defaultAudience}
            errorOf={errorOf}
          />
          <ErrorMessage>{error}</ErrorMessage>
        </CardBody>
        <CardFooter className="justify-end">
          <Button type="submit" pending={pending}>
            Add question
          </Button>
        </CardFooter>
      </form>
      <WidenDialog
        question={errorOf("widen") ?? null}
        confirm="Add question"
        onCancel={() => form.clearErrors("widen")}
        onConfirm={() => {
          form.setValue("widen", true);
          // the next submission must ask again
          void submit().then(() => form.setValue("widen", false));
        }}
      />
    </Card>
  );
}
