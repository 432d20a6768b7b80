"use client";

import { type ReactNode, useId, useState } from "react";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { OptionSelect } from "@/components/ui/option-select.tsx";
import { RadioCard, RadioGroup } from "@/components/ui/radio-group.tsx";
import { TagsInput } from "@/components/ui/tags-input.tsx";
import { SwitchField } from "@/components/ui/toggle-field.tsx";
import type { KeyPolicy } from "@/lib/db/stored-json.ts";
import type { Labels } from "@/lib/knowledge/browse/list-labels.ts";
import { pathText, splitPath } from "@/lib/label-text.ts";
import { PolicyWords } from "./policy-words.tsx";

const SOURCE_TYPE_CHOICES = [
  { value: "document", label: "Documents only" },
  { value: "qa", label: "Q&A only" },
] as const;

interface PolicyFieldsProps {
  value: KeyPolicy;
  onChange: (policy: KeyPolicy) => void;
  labels: Labels;
  errorOf: (part: keyof KeyPolicy) => string | undefined;
  /** Whether the key is restricted already, so *Everything* is not offered. */
  restricted?: boolean;
}

/** What the key may access: everything, or what the fields allow. An empty field restricts nothing. */
export function PolicyFields({ value, onChange, labels, errorOf, restricted = false }: PolicyFieldsProps) {
  const [limited, setLimited] = useState(restricted);
  const titleId = useId();
  return (
    <div className="grid gap-3">
      <h3 id={titleId} className="font-medium text-sm">
        Access
      </h3>
      {!restricted && (
        <RadioGroup
          value={limited ? "part" : "all"}
          onValueChange={(choice) => {
            setLimited(choice === "part");
            onChange({});
          }}
          aria-labelledby={titleId}
          className="sm:grid-cols-2 sm:gap-5"
        >
          <RadioCard value="all" label="Everything" description="All of the company's knowledge, with AI answers." />
          <RadioCard value="part" label="Restricted" description="Everything the fields below allow." />
        </RadioGroup>
      )}
      {limited && (
        <Restrictions>
          <PolicyInputs value={value} onChange={onChange} labels={labels} errorOf={errorOf} />
          <div className="rounded-md bg-accent-soft px-3 py-2">
            <PolicyWords policy={value} />
          </div>
        </Restrictions>
      )}
    </div>
  );
}

function Restrictions({ children }: { children: ReactNode }) {
  return <div className="grid gap-4 rounded-md border border-border p-4">{children}</div>;
}

function PolicyInputs({ value, onChange, labels, errorOf }: PolicyFieldsProps) {
  const set = (part: Partial<KeyPolicy>) => onChange(withoutUnsetFields({ ...value, ...part }));
  const [type = null, ...otherTypes] = new Set(value.sourceTypes);
  return (
    <>
      <Field label="Audience" hint="Knowledge for any of these audiences." error={errorOf("audience")} optional>
        {(control) => (
          <TagsInput
            {...control}
            value={value.audience ?? []}
            onChange={(audience) => set({ audience: audience.length > 0 ? audience : undefined })}
            suggestions={labels.audiences}
            placeholder={labels.audiences[0] ?? "ai_agent"}
          />
        )}
      </Field>
      <Field label="Categories" error={errorOf("contentCategory")} optional>
        {(control) => (
          <TagsInput
            {...control}
            value={value.contentCategory ?? []}
            onChange={(categories) => set({ contentCategory: categories.length > 0 ? categories : undefined })}
            suggestions={labels.categories}
            placeholder={labels.categories[0] ?? "policy"}
          />
        )}
      </Field>
      <PathField paths={labels.paths} value={value.path} onChange={(path) => set({ path })} error={errorOf("path")} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Source types" error={errorOf("sourceTypes")}>
          {(control) => (
            <OptionSelect
              {...control}
              options={SOURCE_TYPE_CHOICES}
              none="Documents and Q&A"
              value={otherTypes.length === 0 ? type : null}
              onChange={(chosen) => set({ sourceTypes: chosen ? [chosen] : undefined })}
            />
          )}
        </Field>
        <Field label="Maximum results per request" hint="1 to 100" error={errorOf("limit")} optional>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              className="tabular"
              defaultValue={value.limit}
              onChange={({ target }) => set({ limit: target.value.trim() === "" ? undefined : Number(target.value) })}
            />
          )}
        </Field>
      </div>
      <SwitchField
        label="AI answers"
        hint="When off, the key returns chunks only, and requests for an answer are refused."
        checked={value.answers !== false}
        onCheckedChange={(on) => set({ answers: on ? undefined : false })}
      />
      {errorOf("answers") && <ErrorMessage>{errorOf("answers")}</ErrorMessage>}
    </>
  );
}

interface PathFieldProps {
  paths: string[];
  value: string[] | undefined;
  onChange: (path: string[] | undefined) => void;
  error: string | undefined;
}

function PathField({ paths, value, onChange, error }: PathFieldProps) {
  const listId = useId();
  return (
    <Field label="Path" hint="Knowledge at or below this path. Separate segments with a slash." error={error} optional>
      {(control) => (
        <>
          <Input
            {...control}
            list={listId}
            defaultValue={value && pathText(value)}
            autoComplete="off"
            placeholder={paths[0] ?? "Policies / Contract"}
            onChange={({ target }) => {
              const segments = splitPath(target.value);
              onChange(segments.length > 0 ? segments : undefined);
            }}
          />
          <datalist id={listId}>
            {withParents(paths).map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function withParents(paths: string[]): string[] {
  const all = paths.flatMap((path) => {
    const segments = splitPath(path);
    return segments.map((_, depth) => pathText(segments.slice(0, depth + 1)));
  });
  return [...new Set(all)].sort();
}

function withoutUnsetFields(policy: KeyPolicy): KeyPolicy {
  return Object.fromEntries(Object.entries(policy).filter(([, entry]) => entry !== undefined));
}
