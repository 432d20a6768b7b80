"use client";

import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { TagsInput } from "@/components/ui/tags-input.tsx";
import type { LabelsInput } from "@/lib/knowledge/edit-input.ts";

/** What the company has already, to choose from. */
export interface KnownLabels {
  audiences: string[];
  categories: string[];
  paths: string[];
}

interface LabelFieldsProps {
  value: LabelsInput;
  onChange: (value: LabelsInput) => void;
  known: KnownLabels;
  errorOf?: (name: keyof LabelsInput) => string | undefined;
}

/** Audience, category and path, for every way in. */
export function LabelFields({ value, onChange, known, errorOf }: LabelFieldsProps) {
  return (
    <div className="@container">
      <div className="grid @3xl:grid-cols-3 items-start gap-4">
        <Field
          label="Audience"
          error={errorOf?.("audience")}
          hint={
            value.audience.length === 0
              ? "Without any, only requests without an audience filter find it."
              : "Requests that filter by one of these find it."
          }
        >
          {(control) => (
            <TagsInput
              {...control}
              value={value.audience}
              onChange={(audience) => onChange({ ...value, audience })}
              suggestions={known.audiences}
              placeholder="copilot"
            />
          )}
        </Field>
        <Field label="Category" optional error={errorOf?.("contentCategory")}>
          {(control) => (
            <Suggested
              {...control}
              value={value.contentCategory}
              onChange={(contentCategory) => onChange({ ...value, contentCategory })}
              suggestions={known.categories}
              placeholder="general"
            />
          )}
        </Field>
        <Field label="Path" optional error={errorOf?.("path")} hint="Steps from the largest to the smallest.">
          {(control) => (
            <Suggested
              {...control}
              value={value.path}
              onChange={(path) => onChange({ ...value, path })}
              suggestions={known.paths}
              placeholder="Support / Manuals"
            />
          )}
        </Field>
      </div>
    </div>
  );
}

interface SuggestedProps {
  id: string;
  value: string;
  onChange: (value: string) => void;
  suggestions: string[];
  placeholder: string;
}

function Suggested({ suggestions, onChange, ...control }: SuggestedProps) {
  const listId = `${control.id}-list`;
  return (
    <>
      <Input {...control} list={listId} autoComplete="off" onChange={({ target }) => onChange(target.value)} />
      <datalist id={listId}>
        {suggestions.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  );
}
