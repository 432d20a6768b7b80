"use client";

import CalendarIcon from "lucide-react/icons/calendar";
import { type ComponentProps, useId, useRef, useState } from "react";
import { cn } from "@/components/cn.ts";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { dayWords } from "@/components/time-words.ts";
import type { DayRange } from "@/components/ui/calendar-days.ts";
import { Input } from "@/components/ui/input.tsx";
import { PlainButton } from "@/components/ui/plain-button.tsx";
import { readDay } from "@/components/ui/read-day.ts";

const CalendarPopover = lazyComponent(() =>
  import("@/components/ui/calendar-popover.tsx").then((module) => module.CalendarPopover),
);

interface DayInputProps
  extends Omit<ComponentProps<typeof Input>, "type" | "value" | "min" | "max" | "onChange">,
    DayRange {
  /** The visible label, which also names the calendar. */
  label: string;
  /** A day as `2026-01-31`, or null. */
  value: string | null;
  /** Called with null while the text is not an allowed day; an empty text is valid. */
  onChange: (day: string | null, isValid: boolean) => void;
}

/**
 * A day, written like all dates in every locale, because the browser's own field and calendar follow the browser's
 * language. A button opens a calendar.
 */
export function DayInput({ label, value, min, max, onChange, className, ...props }: DayInputProps) {
  const [text, setText] = useState(textOf(value));
  const [before, setBefore] = useState(value);
  const [isLeft, setLeft] = useState(false);
  const errorId = useId();
  if (before !== value) {
    setBefore(value);
    if (value !== null && readDay(text) !== value) setText(textOf(value));
    // the caller cleared the day; an incomplete text also sets it to null
    if (value === null && readDay(text) === before) setText("");
  }
  const problem = isLeft ? problemOf(text, { min, max }) : null;
  return (
    <span className={cn("grid w-full gap-1", className)}>
      <span className="relative">
        <Input
          placeholder="31 Jan 2026"
          {...props}
          className="tabular pr-10"
          autoComplete="off"
          maxLength={20}
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
            setText(textOf(readDay(text)) || text);
          }}
        />
        <CalendarButton
          label={label}
          value={value}
          min={min}
          max={max}
          disabled={props.disabled}
          onChoose={(day) => {
            setText(textOf(day));
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

interface CalendarButtonProps extends Pick<DayInputProps, "label" | "value" | "min" | "max" | "disabled"> {
  onChoose: (day: string) => void;
}

function CalendarButton({ label, disabled, onChoose, ...calendar }: CalendarButtonProps) {
  const name = `Open the calendar of “${label}”`;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <PlainButton
        ref={button}
        aria-label={name}
        title={name}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        disabled={disabled}
        className="absolute inset-y-1 right-1 grid w-8 place-items-center rounded-sm text-muted transition-colors hover:bg-subtle hover:text-foreground"
        onClick={() => setOpen(!isOpen)}
      >
        <CalendarIcon aria-hidden className="size-4" />
      </PlainButton>
      {isOpen && (
        <CalendarPopover
          {...calendar}
          label={`Calendar of “${label}”`}
          anchor={button}
          onClose={() => setOpen(false)}
          onChoose={(day) => {
            setOpen(false);
            onChoose(day);
          }}
        />
      )}
    </>
  );
}

function textOf(day: string | null): string {
  return day === null ? "" : dayWords(day);
}

function problemOf(text: string, { min, max }: DayRange): string | null {
  if (text.trim() === "") return null;
  const day = readDay(text);
  if (!day) return "Type the date as 31 Jan 2026.";
  if (min && day < min) return `Choose ${dayWords(min)} or later.`;
  return max && day > max ? `Choose ${dayWords(max)} or earlier.` : null;
}
