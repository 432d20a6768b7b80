"use client";

import Calendar from "lucide-react/icons/calendar";
import { type ComponentProps, useId, useRef, useState } from "react";
import { cn } from "@/components/cn.ts";
import { Input } from "@/components/ui/input.tsx";
import { PlainButton } from "@/components/ui/plain-button.tsx";
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

/**
 * A day, typed as `2026-01-31` in every locale, because the browser's own field follows the browser's language. A button
 * opens the browser's calendar.
 */
export function DayInput({ value, min, max, onChange, className, ...props }: DayInputProps) {
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
    <span className={cn("grid w-full gap-1", className)}>
      <span className="relative">
        <Input
          {...props}
          className="tabular pr-10"
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
        <CalendarButton
          value={value}
          min={min}
          max={max}
          disabled={props.disabled}
          onChoose={(day) => {
            setText(day);
            onChange(day, true);
          }}
        />
      </span>
      {problem && (
        <span id={errorId} role="alert" className="text-danger text-sm">
          {problem}
        </span>
      )}
    </span>
  );
}

interface CalendarButtonProps extends Pick<DayInputProps, "value" | "min" | "max" | "disabled"> {
  onChoose: (day: string) => void;
}

/** Opens the calendar of a date field that is not visible. */
function CalendarButton({ value, min, max, disabled, onChoose }: CalendarButtonProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="date"
        aria-hidden
        tabIndex={-1}
        className="pointer-events-none absolute inset-y-0 right-0 w-9 opacity-0"
        value={value ?? ""}
        min={min}
        max={max}
        disabled={disabled}
        onChange={({ target }) => target.value && target.validity.valid && onChoose(target.value)}
      />
      <PlainButton
        aria-label="Open calendar"
        title="Open calendar"
        disabled={disabled}
        className="absolute inset-y-1 right-1 grid w-8 place-items-center rounded-sm text-muted transition-colors hover:bg-subtle hover:text-foreground"
        onClick={() => field.current?.showPicker()}
      >
        <Calendar aria-hidden className="size-4" />
      </PlainButton>
    </>
  );
}

function problemOf(text: string, { min, max }: Pick<DayInputProps, "min" | "max">): string | null {
  if (text.trim() === "") return null;
  const day = readDay(text);
  if (!day) return "Type the date as 2026-01-31.";
  if (min && day < min) return `Choose ${min} or later.`;
  return max && day > max ? `Choose ${max} or earlier.` : null;
}
