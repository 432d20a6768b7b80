"use client";

import FlaskConical from "lucide-react/icons/flask-conical";
import Link from "next/link";
import { useState } from "react";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardFooter, CardSplit } from "@/components/ui/card.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { useServerSettings } from "@/components/use-server-settings.ts";
import { changedSettings } from "@/lib/changed-settings.ts";
import type { RetrievalSettingsForm } from "@/lib/retrieval-settings/schema.ts";
import { saveRetrievalSettingsAction } from "./actions.ts";
import { AnswerFields } from "./answer-fields.tsx";
import type { FormChoices } from "./form-choices.ts";
import { SearchFields } from "./search-fields.tsx";
import { TrialPane } from "./trial-pane.tsx";
import { useTrial } from "./use-trial.ts";

interface RetrievalFormProps {
  settings: RetrievalSettingsForm;
  choices: FormChoices;
  /** Whether the saved settings are Ragstone's defaults. */
  isDefault: boolean;
  /** Number of the company's test questions. */
  questions: number;
}

/** Settings to try on the test questions and to save. */
export function RetrievalForm({ settings, choices, isDefault, questions }: RetrievalFormProps) {
  const [saved, setSaved] = useState(settings);
  const trial = useTrial();
  const fields = useActionForm(
    () => import("@/lib/retrieval-settings/schema.ts").then(({ retrievalSettingsForm }) => retrievalSettingsForm),
    // all settings would undo what another admin has changed since the page was loaded
    (input, page) => saveRetrievalSettingsAction(changedSettings(saved, input), page),
    {
      defaultValues: saved,
      success: "Settings saved",
      onSuccess: (_, input) => {
        setSaved((before) => ({ ...before, ...changedSettings(saved, input) }));
        trial.stop();
      },
    },
  );
  const { form, submit, pending, error } = fields;
  useServerSettings(form, settings, [saved, setSaved]);
  const proposed = form.watch();
  const isChanged = JSON.stringify(proposed) !== JSON.stringify(saved);
  const isTried = JSON.stringify(trial.tried?.settings) === JSON.stringify(proposed);
  return (
    <>
      <form method="post" onSubmit={submit} noValidate>
        <Card>
          <CardSplit title="Search" description="Defaults of requests through the API, MCP, Dify and OpenAI.">
            <SearchFields fields={fields} weights={choices.weights} />
          </CardSplit>
          <div className="border-border border-t">
            <CardSplit title="Answers" description="How AI answers are written.">
              <AnswerFields fields={fields} languages={choices.languages} />
              <ErrorMessage>{error}</ErrorMessage>
            </CardSplit>
          </div>
          <CardFooter className="flex-wrap">
            <span>{isDefault && "The saved settings are Ragstone's defaults."}</span>
            <span className="flex flex-wrap gap-2">
              <Button
                variant="secondary"
                size="sm"
                disabled={!isChanged || questions === 0}
                pending={trial.progress !== null}
                onClick={form.handleSubmit(() => void trial.start(form.getValues()))}
              >
                <FlaskConical aria-hidden />
                Try on the test questions
              </Button>
              <Button type="submit" size="sm" disabled={!isChanged} pending={pending}>
                Save
              </Button>
            </span>
          </CardFooter>
        </Card>
      </form>
      {questions === 0 ? (
        <p className="text-muted">
          Your company has no test questions, so nothing can be tried.{" "}
          <Link href="/test-questions" className="text-accent underline underline-offset-4">
            Add test questions
          </Link>{" "}
          to see what a change improves and what it breaks.
        </p>
      ) : (
        <TrialPane trial={trial} isCurrent={isTried} />
      )}
    </>
  );
}
