"use client";

import { useId } from "react";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useFound } from "../find/use-found.ts";
import { TYPE_WORDS } from "../knowledge/source-words.ts";

const HOW_TO_CHOOSE = "Type a part of its title or identifier, then choose the source.";

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
  const { found } = useFound(value);
  const sources = found?.sources ?? [];
  const chosen = sources.find(({ sourceId }) => sourceId === value);
  const isUnknown = found !== null && sources.length === 0;
  return (
    <Field
      label={label}
      optional
      error={error}
      hint={chosen ? describe(chosen) : isUnknown ? "No source has this title or identifier." : HOW_TO_CHOOSE}
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
