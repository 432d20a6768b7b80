"use client";

import { useId } from "react";
import { Field, type FieldControl } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { NativeSelect } from "@/components/ui/native-select.tsx";
import { OptionSelect } from "@/components/ui/option-select.tsx";
import { TagsInput } from "@/components/ui/tags-input.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { Labels } from "@/lib/knowledge/browse/list-labels.ts";
import { CONTEXT_FIELDS, type Context, type RequestForm, TYPE_CHOICES } from "./form.ts";
import type { PlaygroundKey } from "./run.ts";

interface KeyFieldProps {
  keys: PlaygroundKey[];
  chosen: PlaygroundKey | undefined;
  onChoose: (id: string | null) => void;
}

/** Chooses a key, whose policy then applies to the run, and shows the policy in words. */
export function KeyField({ keys, chosen, onChoose }: KeyFieldProps) {
  return (
    <>
      <Field label="Key">
        {(control) => (
          <OptionSelect
            {...control}
            options={keys.map(({ id, name }) => ({ value: id, label: name }))}
            none="No key: all of the company's knowledge"
            value={chosen?.id ?? null}
            onChange={onChoose}
          />
        )}
      </Field>
      {chosen && (
        <ul className="grid gap-1 text-sm">
          {chosen.policy.length === 0 && <li>This key can access everything, with AI answers.</li>}
          {chosen.policy.map((sentence) => (
            <li key={sentence}>{sentence}.</li>
          ))}
        </ul>
      )}
      <p className="text-muted text-sm">
        The key's policy applies to this run. The run counts toward your rate limit, not the key's, and does not count
        as use of the key.
      </p>
    </>
  );
}

interface FilterFieldsProps {
  form: RequestForm;
  set: (values: Partial<RequestForm>) => void;
  labels: Labels;
  /** Why the last run refused the conditions on metadata. */
  metadataError: string | undefined;
}

export function FilterFields({ form, set, labels, metadataError }: FilterFieldsProps) {
  return (
    <>
      <Field label="Type">
        {(control) => (
          <NativeSelect
            {...control}
            value={form.type}
            onChange={({ target }) => set({ type: TYPE_CHOICES.find(({ id }) => id === target.value)?.id ?? "all" })}
          >
            {TYPE_CHOICES.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field label="Audience">
        {(control) => (
          <InputWithSuggestions
            {...control}
            value={form.audience}
            onChange={(audience) => set({ audience })}
            suggestions={labels.audiences}
          />
        )}
      </Field>
      <Field label="Categories" hint="Matches any of these. Press Enter or a comma to add one.">
        {(control) => (
          <TagsInput
            {...control}
            value={form.categories}
            onChange={(categories) => set({ categories })}
            suggestions={labels.categories}
          />
        )}
      </Field>
      <Field label="Path" hint="Matches this path and everything below it, for example Support / Billing.">
        {(control) => (
          <InputWithSuggestions
            {...control}
            value={form.path}
            onChange={(path) => set({ path })}
            suggestions={labels.paths}
          />
        )}
      </Field>
      <Field
        label="Metadata"
        hint='Conditions as JSON, for example {"region": "EU", "year": {"gte": 2024}}'
        error={metadataError}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            spellCheck={false}
            className="max-h-48 min-h-16 font-mono text-sm"
            value={form.metadata}
            onChange={({ target }) => set({ metadata: target.value })}
          />
        )}
      </Field>
    </>
  );
}

interface ContextFieldsProps {
  context: Context;
  set: (values: Partial<Context>) => void;
}

/** All context fields of the API. Neither the log nor the history stores them. */
export function ContextFields({ context, set }: ContextFieldsProps) {
  return (
    <>
      <p className="text-muted text-sm">
        Used for the answer. The current chat can also complete a follow-up question before the search.
      </p>
      {CONTEXT_FIELDS.map(({ name, label, long }) => (
        <Field key={name} label={label}>
          {(control) =>
            long ? (
              <Textarea
                {...control}
                rows={2}
                className="max-h-48 min-h-16"
                value={context[name]}
                onChange={({ target }) => set({ [name]: target.value })}
              />
            ) : (
              <Input {...control} value={context[name]} onChange={({ target }) => set({ [name]: target.value })} />
            )
          }
        </Field>
      ))}
      <Field label="Company's products" hint="Press Enter or a comma to add one.">
        {(control) => (
          <TagsInput
            {...control}
            value={context.companyProductsNames}
            onChange={(companyProductsNames) => set({ companyProductsNames })}
          />
        )}
      </Field>
    </>
  );
}

interface InputWithSuggestionsProps extends FieldControl {
  value: string;
  onChange: (text: string) => void;
  suggestions: string[];
}

/** Suggests values of existing sources, and accepts any other value. */
function InputWithSuggestions({ value, onChange, suggestions, ...control }: InputWithSuggestionsProps) {
  const listId = useId();
  return (
    <>
      <Input
        {...control}
        list={listId}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={listId}>
        {suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
    </>
  );
}
