"use client";

import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { TagsInput } from "@/components/ui/tags-input.tsx";
import type { LabelsInput } from "@/lib/knowledge/intake/edit-input.ts";

/** Labels that the company's sources already use, offered as suggestions. */
export interface KnownLabels {
  audiences: string[];
  categories: string[];
  paths: string[];
}

export interface LabelFieldsProps {
  value: LabelsInput;
  onChange: (value: LabelsInput) => void;
  known: KnownLabels;
  /** Only in forms that add sources: the audience of new ones. An empty field keeps the labels of existing ones. */
  defaultAudience?: string[];
  errorOf?: (name: keyof LabelsInput) => string | undefined;
}

/** Fields for audience, category and path. */
export function LabelFields({ value, onChange, known, defaultAudience, errorOf }: LabelFieldsProps) {
  return (
    <div className="@container">
      <div className="grid @3xl:grid-cols-3 items-start gap-4">
        <Field
          label="Audience"
          error={errorOf?.("audience")}
          optional={defaultAudience !== undefined}
          hint={audienceHint(value.audience, defaultAudience)}
        >
          {(control) => (
            <TagsInput
              {...control}
              value={value.audience}
              onChange={(audience) => onChange({ ...value, audience })}
              suggestions={known.audiences}
              placeholder={defaultAudience?.join(", ") || "copilot"}
            />
          )}
        </Field>
        <Field
          label="Category"
          optional
          error={errorOf?.("contentCategory")}
          hint={defaultAudience && "Empty: an existing source keeps its category."}
        >
          {(control) => (
            <InputWithSuggestions
              {...control}
              value={value.contentCategory}
              onChange={(contentCategory) => onChange({ ...value, contentCategory })}
              suggestions={known.categories}
              placeholder="general"
            />
          )}
        </Field>
        <Field label="Path" optional error={errorOf?.("path")} hint={pathHint(value.path, defaultAudience)}>
          {(control) => (
            <InputWithSuggestions
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

/** Always the same in a form that adds sources: a change on blur would move the button that is being clicked. */
function audienceHint(audience: string[], defaultAudience: string[] | undefined): string {
  if (defaultAudience) {
    return `If empty, existing sources keep their audience and new ones get ${defaultAudience.join(", ") || "none"}.`;
  }
  return audience.length > 0
    ? "Requests that filter by one of these audiences find it."
    : "Without an audience, only requests without an audience filter find it.";
}

function pathHint(path: string, defaultAudience: string[] | undefined): string {
  if (path.includes("\\/")) return "\\/ is a slash within a level.";
  return defaultAudience ? "Empty: an existing source keeps its path." : "From the broadest to the narrowest level.";
}

interface InputWithSuggestionsProps {
  id: string;
  value: string;
  onChange: (value: string) => void;
  suggestions: string[];
  placeholder: string;
}

function InputWithSuggestions({ suggestions, onChange, ...control }: InputWithSuggestionsProps) {
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
