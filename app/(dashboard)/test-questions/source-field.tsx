"use client";

import { useId } from "react";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useFound } from "../find/use-found.ts";
import { TYPE_WORDS } from "../knowledge/words.ts";

interface SourceFieldProps {
  label: string;
  /** The caller's identifier of the source; empty for none. */
  value: string;
  error: string | undefined;
  onChange: (sourceId: string) => void;
}

/** Finds a source by its title or identifier. Shows the chosen source below the field. */
export function SourceField({ label, value, error, onChange }: SourceFieldProps) {
  const list = useId();
  const sources = useFound(value).found?.sources ?? [];
  const chosen = sources.find(({ sourceId }) => sourceId === value);
  return (
    <Field
      label={label}
      optional
      error={error}
      hint={chosen ? describe(chosen) : "Type a part of its title or identifier, then choose the source."}
    >
      {(control) => (
        <>
          <Input
            {...control}
            list={list}
            value={value}
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => onChange(target.value)}
          />
          <datalist id={list}>
            {sources.map((source) => (
              <option key={source.id} value={source.sourceId} label={describe(source)} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function describe({ title, sourceType, category }: { title: string; sourceType: "document" | "qa"; category: string }) {
  return [title, TYPE_WORDS[sourceType], category].join(" · ");
}
