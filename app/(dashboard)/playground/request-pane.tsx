"use client";

import Play from "lucide-react/icons/play";
import Link from "next/link";
import type { Dispatch, RefObject, SetStateAction } from "react";
import { capitalize } from "@/components/capitalize.ts";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { SwitchField } from "@/components/ui/toggle-field.tsx";
import type { Issue } from "@/lib/errors.ts";
import type { Labels } from "@/lib/knowledge/browse/list-labels.ts";
import { CopyAs } from "./copy-as.tsx";
import { contextSet, filtersSet, type RequestForm } from "./form.ts";
import { ContextFields, FilterFields, KeyField } from "./request-fields.tsx";
import type { PlaygroundKey } from "./run.ts";
import { Section } from "./section.tsx";

interface RequestPaneProps {
  form: RequestForm;
  setForm: Dispatch<SetStateAction<RequestForm>>;
  keys: PlaygroundKey[];
  keyId: string | null;
  /** What fills the form, if its key no longer works. */
  lostKeyOf: "request" | "test question" | null;
  /** Whether the company's log keeps questions as text, so that requests can be asked again. */
  keepsText: boolean;
  setKeyId: (id: string | null) => void;
  labels: Labels;
  pending: boolean;
  /** Why the last run failed. */
  failure: { error: string | null; issues: Issue[]; isEmpty: boolean; isUnreadable: boolean };
  query: RefObject<HTMLTextAreaElement | null>;
  /** The company's own retrieval settings, in words. */
  ownSettings: string[];
  url: string;
  onRun: () => void;
}

const UNREADABLE = 'The metadata filter is not valid JSON. Write, for example, {"region": "EU"}.';
const AT_FIELDS = ["queryText", "limit", "scoreThreshold"];

export function RequestPane(props: RequestPaneProps) {
  const { form, setForm, keys, keyId, lostKeyOf, keepsText, setKeyId, labels, pending, failure, query } = props;
  const { ownSettings, url, onRun } = props;
  const set = (values: Partial<RequestForm>) => setForm((before) => ({ ...before, ...values }));
  const messageOf = (issue: Issue | undefined) => issue && capitalize(issue.message);
  const errorOf = (name: string) => messageOf(failure.issues.find(({ path }) => path === `request.${name}`));
  const isAtField = failure.issues.some(({ path }) => AT_FIELDS.includes(path.replace("request.", "")));
  const metadataIssue = failure.issues.find(({ path }) => path.startsWith("request.filters.metadata"));
  const metadataError = failure.isUnreadable ? UNREADABLE : messageOf(metadataIssue);
  const key = keys.find(({ id }) => id === keyId);
  return (
    <Card>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onRun();
        }}
      >
        <CardBody className="grid gap-4">
          <Field
            label="Question"
            error={failure.isEmpty && form.queryText.trim() === "" ? "Type a question." : errorOf("queryText")}
            aside={<Keys />}
          >
            {(control) => (
              <Textarea
                {...control}
                ref={query}
                rows={3}
                maxLength={8_000}
                value={form.queryText}
                onChange={(event) => set({ queryText: event.target.value })}
                placeholder="How do I cancel my contract?"
                className="max-h-64"
              />
            )}
          </Field>
          <Button type="submit" pending={pending}>
            <Play aria-hidden /> Run
          </Button>
          {!isAtField && <ErrorMessage>{failure.isUnreadable ? UNREADABLE : failure.error}</ErrorMessage>}
          <SwitchField
            label="AI answer"
            hint={
              form.answer && key && !key.answers
                ? "This key does not allow AI answers. The API would refuse the request."
                : undefined
            }
            checked={form.answer}
            onCheckedChange={(answer) => set({ answer })}
          />
          <SwitchField label="Rerank" checked={form.useRerank} onCheckedChange={(useRerank) => set({ useRerank })} />
          <div className="grid grid-cols-2 items-start gap-3">
            <Field label="Limit" error={errorOf("limit")}>
              {(control) => (
                <Input
                  {...control}
                  type="number"
                  inputMode="numeric"
                  min={1}
                  max={100}
                  value={form.limit}
                  onChange={(event) => set({ limit: event.target.value })}
                />
              )}
            </Field>
            <Field label="Threshold" error={errorOf("scoreThreshold")}>
              {(control) => (
                <Input
                  {...control}
                  type="number"
                  inputMode="decimal"
                  min={0}
                  max={1}
                  step={0.05}
                  value={form.scoreThreshold}
                  onChange={(event) => set({ scoreThreshold: event.target.value })}
                />
              )}
            </Field>
          </div>
          {ownSettings.length > 0 && <CompanySettings words={ownSettings} />}
          {lostKeyOf && (
            <p role="status" className="text-sm text-warning">
              The key of this {lostKeyOf} no longer works, so this run is not restricted.{" "}
              {waysToRestrict(lostKeyOf, keepsText)}
            </p>
          )}
        </CardBody>
        <Section title="Run as a key" note={key?.name}>
          <KeyField keys={keys} chosen={key} onChoose={setKeyId} />
        </Section>
        <Section title="Filters" note={countNote(filtersSet(form))}>
          <FilterFields form={form} set={set} labels={labels} metadataError={metadataError} />
        </Section>
        <Section title="Context for the answer" note={countNote(contextSet(form))}>
          <ContextFields context={form.context} set={(context) => set({ context: { ...form.context, ...context } })} />
        </Section>
        <Section title="Copy as code">
          <CopyAs form={form} url={url} />
        </Section>
      </form>
    </Card>
  );
}

function CompanySettings({ words }: { words: string[] }) {
  return (
    <div className="grid gap-1 text-muted text-sm">
      <p>
        Follows the company's{" "}
        <Link href="/settings/retrieval" className="text-accent underline underline-offset-4">
          settings
        </Link>
        :
      </p>
      <ul className="grid gap-0.5">
        {words.map((setting) => (
          <li key={setting} className="wrap-anywhere">
            {setting}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Keys() {
  return (
    <span aria-hidden className="flex items-center gap-1 whitespace-nowrap text-muted text-xs max-sm:hidden">
      <kbd className="rounded-xs border border-border bg-subtle px-1 font-mono">Ctrl ↵</kbd> runs
      <kbd className="ml-1 rounded-xs border border-border bg-subtle px-1 font-mono">/</kbd> focuses
    </span>
  );
}

function waysToRestrict(lostKeyOf: "request" | "test question", keepsText: boolean): string {
  if (lostKeyOf === "test question") return "Edit the test question to choose another key.";
  return keepsText
    ? "Use Ask again on the request's page to apply the key's policy."
    : "Choose another key to restrict it.";
}

function countNote(set: number): string | undefined {
  return set > 0 ? `${set} set` : undefined;
}
