"use client";

import { type ComponentProps, useId, useState } from "react";
import { Input } from "@/components/ui/input.tsx";
import { readDay } from "@/components/ui/read-day.ts";

interface DayInputProps extends Omit<ComponentProps<typeof Input>, "type" | "value" | "min" | "max" | "onChange"> {
  /** A day as `2026-01-31`, or null. */
  value: string | null;
  /** The first and the last allowed day. */
  min?: string | undefined;
  max?: string | undefined;
  /** Called with null while the text is not an allowed day; an empty text is valid. */
  onChange: (day: string | null, isValid: boolean) => void;
}

/** A day, typed as `2026-01-31` in every locale, because the browser's own field follows the browser's language. */
export function DayInput({ value, min, max, onChange, ...props }: DayInputProps) {
  const [text, setText] = useState(value ?? "");
  const [before, setBefore] = useState(value);
  const [isLeft, setLeft] = useState(false);
  const errorId = useId();
  if (before !== value) {
    setBefore(value);
    if (value !== null && readDay(text) !== value) setText(value);
    // the caller cleared the day; an incomplete text sets it to null too
    if (value === null && readDay(text) === before) setText("");
  }
  const problem = isLeft ? problemOf(text, { min, max }) : null;
  return (
    <span className="grid gap-1">
      <Input
        {...props}
        inputMode="numeric"
        autoComplete="off"
        placeholder="yyyy-mm-dd"
        maxLength={10}
        value={text}
        aria-invalid={problem ? true : props["aria-invalid"]}
        aria-describedby={problem ? errorId : props["aria-describedby"]}
        onChange={({ target }) => {
          setText(target.value);
          setLeft(false);
          const isValid = problemOf(target.value, { min, max }) === null;
          onChange(isValid ? readDay(target.value) : null, isValid);
        }}
        onBlur={() => {
          setLeft(true);
          setText(readDay(text) ?? text);
        }}
      />
      {problem && (
        <span id={errorId} role="alert" className="text-danger text-sm">
          {problem}
        </span>
      )}
    </span>
  );
}

function problemOf(text: string, { min, max }: Pick<DayInputProps, "min" | "max">): string | null {
  if (text.trim() === "") return null;
  const day = readDay(text);
  if (!day) return "Type the date as 2026-01-31.";
  if (min && day < min) return `Choose ${min} or later.`;
  return max && day > max ? `Choose ${max} or earlier.` : null;
}
