"use client";

import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { ErrorMessage } from "@/components/error-message.tsx";
import { takeFocus } from "@/components/take-focus.ts";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useAction } from "@/components/use-action.ts";
import { reportAnswerAction } from "./actions.ts";

interface ReportFormProps {
  question: string;
  answer: string;
  requestId: string;
}

export function ReportForm({ question, answer, requestId }: ReportFormProps) {
  const [note, setNote] = useState("");
  const [isSent, setIsSent] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { run, pending, error } = useAction(reportAnswerAction, { onSuccess: () => setIsSent(true) });
  if (isSent) {
    return (
      <p role="status" ref={takeFocus} tabIndex={-1} className="border-border border-t px-5 py-4 outline-none">
        Reported. It is now among the{" "}
        <Link href="/usage/reports" className="text-accent underline underline-offset-4">
          reported answers
        </Link>
        .
      </p>
    );
  }
  return (
    <form
      className="grid gap-3 border-border border-t p-5"
      onSubmit={(event) => {
        event.preventDefault();
        void run({ requestId, question, answer, note });
      }}
    >
      <Field
        label="Problem"
        optional
        hint="The question, the answer and your note are kept with the report, even if the log keeps only hashes."
      >
        {(control) => (
          <Textarea
            {...control}
            ref={field}
            rows={3}
            maxLength={2_000}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <ErrorMessage>{error}</ErrorMessage>
      <Button type="submit" variant="secondary" pending={pending} className="justify-self-start">
        Send report
      </Button>
    </form>
  );
}
