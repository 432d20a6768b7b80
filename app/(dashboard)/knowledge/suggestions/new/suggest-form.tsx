"use client";

import { useRouter } from "next/navigation";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardFooter } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { suggestAction } from "../actions.ts";

interface SuggestFormProps {
  /** The question to prefill. */
  question: string;
  /** The request that nothing answered. */
  requestId: string | null;
}

export function SuggestForm({ question, requestId }: SuggestFormProps) {
  const router = useRouter();
  const { register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/knowledge/suggestions/schema.ts").then(({ suggestionInput }) => suggestionInput),
    suggestAction,
    {
      defaultValues: {
        sourceId: null,
        content: { kind: "qa", question, answer: "", alternatives: [] },
        note: "",
        requestId,
      },
      success: "Suggestion sent",
      onSuccess: () => router.push("/knowledge/suggestions"),
    },
  );
  return (
    <Card>
      <form noValidate onSubmit={submit}>
        <CardBody className="grid gap-5">
          <Field label="Question" error={errorOf("content.question")} required>
            {(control) => <Input {...control} {...register("content.question")} autoComplete="off" />}
          </Field>
          <Field label="Answer" error={errorOf("content.answer")} required>
            {(control) => <Textarea {...control} {...register("content.answer")} className="max-h-[50vh] min-h-32" />}
          </Field>
          <Field label="Note for the admin" optional error={errorOf("note")}>
            {(control) => <Textarea {...control} {...register("note")} rows={2} maxLength={2_000} />}
          </Field>
          <ErrorMessage>{error}</ErrorMessage>
        </CardBody>
        <CardFooter className="justify-end">
          <Button type="submit" pending={pending}>
            Send suggestion
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}
