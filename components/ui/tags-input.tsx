"use client";

import X from "lucide-react/icons/x";
import { type KeyboardEvent, useState } from "react";
import { cn } from "@/components/cn.ts";
import type { FieldControl } from "@/components/ui/field.tsx";
import { CONTROL_STYLE } from "@/components/ui/input.tsx";
import { PlainButton } from "@/components/ui/plain-button.tsx";
import { useEarlyText } from "@/components/use-early-text.ts";
import { splitList } from "@/lib/label-text.ts";

interface TagsInputProps extends Partial<FieldControl> {
  value: readonly string[];
  onChange: (value: string[]) => void;
  onBlur?: () => void;
  placeholder?: string;
  disabled?: boolean;
  /** Offered while typing. */
  suggestions?: readonly string[];
}

/** A list of tags. Enter or a comma adds a tag; Backspace in the empty field removes the last one. */
export function TagsInput({ value, onChange, onBlur, suggestions, disabled, placeholder, ...control }: TagsInputProps) {
  const [text, setText] = useState("");
  const field = useEarlyText<HTMLInputElement>(null, text);
  const listId = suggestions && control.id ? `${control.id}-list` : undefined;

  function add(given: string): void {
    const tags = splitList(given);
    if (tags.length > 0) onChange([...new Set([...value, ...tags])]);
    setText("");
  }

  function type(typed: string): void {
    // text that was typed before the scripts loaded is complete if the field has been left since
    if (typed.includes(",") || document.activeElement !== field.current) add(typed);
    else setText(typed);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    // Enter confirms a word of an input method
    if (event.nativeEvent.isComposing) return;
    if ((event.key === "Enter" || event.key === ",") && text.trim()) {
      event.preventDefault();
      add(text);
    }
    if (event.key === "Backspace" && text === "" && value.length > 0) onChange(value.slice(0, -1));
  }

  return (
    <div
      className={cn(
        CONTROL_STYLE,
        "flex min-h-9 flex-wrap items-center gap-1.5 p-1.25 focus-within:border-accent focus-within:outline-2 focus-within:outline-accent focus-within:-outline-offset-1 max-sm:min-h-11",
        control["aria-invalid"] && "border-danger",
      )}
    >
      {value.map((tag) => (
        <span
          key={tag}
          className="inline-flex h-6 max-w-full items-center gap-0.5 rounded-sm border border-border bg-subtle pr-0.5 pl-2 text-sm"
        >
          <span className="truncate">{tag}</span>
          <PlainButton
            disabled={disabled}
            aria-label={`Remove ${tag}`}
            onClick={() => onChange(value.filter((other) => other !== tag))}
            className="grid size-5 shrink-0 place-items-center rounded-[4px] text-muted hover:bg-hover hover:text-foreground"
          >
            <X className="size-3" aria-hidden />
          </PlainButton>
        </span>
      ))}
      <input
        ref={field}
        {...control}
        value={text}
        disabled={disabled}
        placeholder={value.length === 0 ? placeholder : undefined}
        list={listId}
        autoComplete="off"
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          add(text);
          onBlur?.();
        }}
        className="h-6 min-w-24 flex-1 bg-transparent px-1.5 outline-none placeholder:text-muted"
      />
      {listId && (
        <datalist id={listId}>
          {suggestions
            ?.filter((tag) => !value.includes(tag))
            .map((tag) => (
              <option key={tag} value={tag} />
            ))}
        </datalist>
      )}
    </div>
  );
}
