"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardFooter } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useAction } from "@/components/use-action.ts";
import { suggestAction } from "../actions.ts";

interface SuggestFormProps {
  /** The question to prefill. */
  question: string;
  /** The request that nothing answered. */
  requestId: string | null;
}

export function SuggestForm({ question, requestId }: SuggestFormProps) {
  const router = useRouter();
  const [form, setForm] = useState({ question, answer: "", note: "" });
  const { run, pending, error, issues } = useAction(suggestAction, {
    success: "Suggestion sent",
    onSuccess: () => router.push("/knowledge/suggestions"),
  });
  const errorOf = (path: string) => issues.find((issue) => issue.path === path)?.message;
  const change = (part: Partial<typeof form>) => setForm({ ...form, ...part });
  return (
    <Card>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const { note, ...texts } = form;
          void run({ sourceId: null, content: { kind: "qa", ...texts, alternatives: [] }, note, requestId });
        }}
      >
        <CardBody className="grid gap-5">
          <Field label="Question" error={errorOf("content.question")} required>
            {(control) => (
              <Input
                {...control}
                value={form.question}
                autoComplete="off"
                onChange={({ target }) => change({ question: target.value })}
              />
            )}
          </Field>
          <Field label="Answer" error={errorOf("content.answer")} required>
            {(control) => (
              <Textarea
                {...control}
                className="max-h-[50vh] min-h-32"
                value={form.answer}
                onChange={({ target }) => change({ answer: target.value })}
              />
            )}
          </Field>
          <Field label="Note for the admin" optional error={errorOf("note")}>
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                maxLength={2_000}
                value={form.note}
                onChange={({ target }) => change({ note: target.value })}
              />
            )}
          </Field>
          <ErrorMessage>{issues.length > 0 ? null : error}</ErrorMessage>
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
