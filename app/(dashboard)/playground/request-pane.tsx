"use client";

import Play from "lucide-react/icons/play";
import { type Dispatch, type KeyboardEvent, type ReactNode, type RefObject, type SetStateAction, useId } from "react";
import { CopyButton } from "@/components/copy-button.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardFooter } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Label } from "@/components/ui/label.tsx";
import { Select, SelectContent, SelectItem, SelectTrigger } from "@/components/ui/select.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { requestExamples } from "@/lib/request-examples.ts";
import type { PlaygroundKey } from "./playground.tsx";
import { CONTEXT_FIELDS, type RequestForm, SOURCE_CHOICES, toRequest } from "./request.ts";

const NO_KEY = "none";

interface RequestPaneProps {
  form: RequestForm;
  setForm: Dispatch<SetStateAction<RequestForm>>;
  keys: PlaygroundKey[];
  keyId: string | null;
  setKeyId: (id: string | null) => void;
  pending: boolean;
  query: RefObject<HTMLTextAreaElement | null>;
  url: string;
  onRun: () => void;
}

export function RequestPane({ form, setForm, keys, keyId, setKeyId, pending, query, url, onRun }: RequestPaneProps) {
  const set = (values: Partial<RequestForm>) => setForm((before) => ({ ...before, ...values }));
  const chosen = keys.find(({ id }) => id === keyId);
  const examples = requestExamples({ url, method: "POST", body: toRequest(form) });

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onRun();
  }

  return (
    <Card>
      <form
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          onRun();
        }}
      >
        <CardBody className="grid gap-4">
          <Field label="Question" hint="Ctrl+Enter runs, / comes back here">
            {(control) => (
              <Textarea
                {...control}
                ref={query}
                rows={3}
                maxLength={8000}
                value={form.queryText}
                onChange={(event) => set({ queryText: event.target.value })}
                placeholder="How do I cancel my contract?"
              />
            )}
          </Field>
          <Toggle label="AI answer" checked={form.answer} onChange={(answer) => set({ answer })} />
          <Toggle label="Rerank" checked={form.useRerank} onChange={(useRerank) => set({ useRerank })} />
          <div className="grid grid-cols-2 gap-3">
            <Field label="Limit">
              {(control) => (
                <Input
                  {...control}
                  type="number"
                  min={1}
                  max={100}
                  value={form.limit}
                  onChange={(event) => set({ limit: event.target.valueAsNumber || 1 })}
                />
              )}
            </Field>
            <Field label="Threshold">
              {(control) => (
                <Input
                  {...control}
                  type="number"
                  min={0}
                  max={1}
                  step={0.05}
                  value={form.scoreThreshold}
                  onChange={(event) => set({ scoreThreshold: event.target.valueAsNumber || 0 })}
                />
              )}
            </Field>
          </div>
          <More label="Run as a key">
            <Field label="Key" hint={chosen ? chosen.policy.join(". ") || "Reaches everything" : "No restrictions"}>
              {(control) => (
                <Select value={keyId ?? NO_KEY} onValueChange={(id) => setKeyId(id === NO_KEY ? null : id)}>
                  <SelectTrigger {...control} />
                  <SelectContent>
                    <SelectItem value={NO_KEY}>No key</SelectItem>
                    {keys.map(({ id, name }) => (
                      <SelectItem key={id} value={id}>
                        {name}
                      </SelectItem>
                    ))}
                  </SelectContent>
                </Select>
              )}
            </Field>
          </More>
          <More label="Filters">
            <Field label="Type">
              {(control) => (
                <Select
                  value={form.sourceTypes}
                  onValueChange={(value) =>
                    set({ sourceTypes: SOURCE_CHOICES.find(({ id }) => id === value)?.id ?? "all" })
                  }
                >
                  <SelectTrigger {...control} />
                  <SelectContent>
                    {SOURCE_CHOICES.map(({ id, label }) => (
                      <SelectItem key={id} value={id}>
                        {label}
                      </SelectItem>
                    ))}
                  </SelectContent>
                </Select>
              )}
            </Field>
            <TextField label="Audience" value={form.audience} onChange={(audience) => set({ audience })} />
            <TextField
              label="Categories, separated by commas"
              value={form.contentCategory}
              onChange={(contentCategory) => set({ contentCategory })}
            />
            <TextField label="Path, as A/B" value={form.path} onChange={(path) => set({ path })} />
          </More>
          <More label="Context of the answer">
            {CONTEXT_FIELDS.map(({ name, label }) => (
              <TextField
                key={name}
                label={label}
                value={form.context[name] ?? ""}
                onChange={(value) => set({ context: { ...form.context, [name]: value } })}
              />
            ))}
          </More>
        </CardBody>
        <CardFooter className="flex-wrap">
          <Button type="submit" pending={pending}>
            <Play aria-hidden /> Run
          </Button>
          <span className="flex flex-wrap gap-1">
            {Object.entries(examples).map(([name, code]) => (
              <CopyButton key={name} text={code} label={name} labelled variant="ghost" />
            ))}
          </span>
        </CardFooter>
      </form>
    </Card>
  );
}

function Toggle({ label, checked, onChange }: { label: string; checked: boolean; onChange: (on: boolean) => void }) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <Label htmlFor={id}>{label}</Label>
      <Switch id={id} checked={checked} onCheckedChange={onChange} />
    </div>
  );
}

function TextField({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }) {
  return (
    <Field label={label}>
      {(control) => <Input {...control} value={value} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

function More({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className="border-border border-t pt-3">
      <summary className="cursor-pointer font-medium text-sm">{label}</summary>
      <div className="grid gap-3 pt-3">{children}</div>
    </details>
  );
}
