"use client";

import { useRouter } from "next/navigation";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardFooter } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { addTextAction } from "../actions.ts";
import { LabelFields } from "../label-fields.tsx";
import { WidenDialog } from "../widen-dialog.tsx";
import type { AddProps } from "./add-props.ts";

export function AddText({ known, defaultAudience }: AddProps) {
  const router = useRouter();
  const { form, register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/knowledge/intake/edit-input.ts").then(({ pastedTextInput }) => pastedTextInput),
    addTextAction,
    {
      defaultValues: {
        title: "",
        content: "",
        sourceId: "",
        audience: [],
        widen: false,
        contentCategory: "",
        path: "",
      },
      success: "Text added",
      onSuccess: (added) => added && router.push(`/knowledge/${added.id}`),
    },
  );
  const [audience, contentCategory, path] = form.watch(["audience", "contentCategory", "path"]);
  return (
    <Card>
      <form onSubmit={submit} noValidate>
        <CardBody className="grid gap-5">
          <Field label="Title" error={errorOf("title")} required>
            {(control) => <Input {...control} {...register("title")} autoComplete="off" />}
          </Field>
          <Field label="Text" error={errorOf("content")} required hint="Markdown headings become the chunks' headings.">
            {(control) => <Textarea {...control} {...register("content")} className="max-h-[60vh] min-h-56" />}
          </Field>
          <Field
            label="Identifier"
            optional
            error={errorOf("sourceId")}
            hint="Your own identifier for this text. The API returns it as sourceId. Adding the same identifier again replaces this text."
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
            Add text
          </Button>
        </CardFooter>
      </form>
      <WidenDialog
        question={errorOf("widen") ?? null}
        confirm="Add text"
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
