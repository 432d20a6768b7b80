"use client";

import { useState } from "react";
import { CopyButton } from "@/components/copy-button.tsx";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useAction } from "@/components/use-action.ts";
import { reportAnswerAction } from "./actions.ts";
import type { RunData } from "./playground.tsx";
import { splitText } from "./split-text.ts";

const CITATION = /\[\d+\]/g;

interface AnswerPaneProps {
  question: string;
  data: RunData;
  onCite: (place: number) => void;
}

export function AnswerPane({ question, data, onCite }: AnswerPaneProps) {
  const { aiGeneratedAnswer: answer } = data.response;
  const [reporting, setReporting] = useState(false);
  if (answer === undefined) return null;
  return (
    <Card>
      <CardHeader
        title="Answer"
        description={
          data.degraded.includes("generation")
            ? "The answer model is away: made of the passages' sentences."
            : undefined
        }
      />
      <CardBody>
        <p className="whitespace-pre-line break-words leading-relaxed">
          {splitText(answer, CITATION).map(({ at, text, matched }) => {
            if (!matched) return text;
            const place = Number(text.slice(1, -1));
            return (
              <button
                key={at}
                type="button"
                aria-label={`Show result ${place}`}
                className="cursor-pointer px-0.5 font-medium text-accent hover:underline"
                onClick={() => onCite(place)}
              >
                {text}
              </button>
            );
          })}
        </p>
      </CardBody>
      <CardFooter className="flex-wrap">
        <CopyButton text={answer} label="Copy answer" labelled />
        {!reporting && (
          <Button variant="ghost" onClick={() => setReporting(true)}>
            Report as wrong
          </Button>
        )}
      </CardFooter>
      {reporting && <Report question={question} answer={answer} requestId={data.requestId} />}
    </Card>
  );
}

function Report({ question, answer, requestId }: { question: string; answer: string; requestId: string }) {
  const [note, setNote] = useState("");
  const [sent, setSent] = useState(false);
  const { run, pending, error } = useAction(reportAnswerAction, { onSuccess: () => setSent(true) });
  if (sent) return <p className="px-5 py-4 text-muted text-sm">Reported. Thank you.</p>;
  return (
    <form
      className="grid gap-3 border-border border-t p-5"
      onSubmit={(event) => {
        event.preventDefault();
        void run({ requestId, question, answer, note });
      }}
    >
      <Field label="What is wrong" optional>
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            maxLength={2000}
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
