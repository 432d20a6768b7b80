"use client";

import { useState } from "react";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { NativeSelect } from "@/components/ui/native-select.tsx";
import { DAY_MS, dayOf } from "@/lib/durations.ts";

const PRESETS = [
  { value: "7", label: "7 days", days: 7 },
  { value: "30", label: "30 days", days: 30 },
  { value: "90", label: "90 days", days: 90 },
  { value: "365", label: "1 year", days: 365 },
];
const CUSTOM = "custom";
const NEVER = "never";

export const DEFAULT_EXPIRY = "90";

/** When a key that is created now expires; null for never, and while no date is chosen. */
export function expiryDate(choice: string): Date | null {
  const preset = PRESETS.find(({ value }) => value === choice);
  return preset ? new Date(Date.now() + preset.days * DAY_MS) : null;
}

interface ExpiryFieldProps {
  onChange: (expiresAt: Date | string | null) => void;
  error: string | undefined;
}

export function ExpiryField({ onChange, error }: ExpiryFieldProps) {
  const [choice, setChoice] = useState(DEFAULT_EXPIRY);
  const [date, setDate] = useState(() => expiryDate(DEFAULT_EXPIRY));

  function choose(next: string): void {
    setChoice(next);
    const resolved = expiryDate(next);
    setDate(resolved);
    // an empty string fails the schema, which then asks for a date
    onChange(next === CUSTOM ? "" : resolved);
  }

  function chooseDay(day: string): void {
    const resolved = day ? new Date(`${day}T23:59:59`) : null;
    setDate(resolved);
    onChange(resolved ?? "");
  }

  return (
    <div className="grid gap-2">
      <Field label="Expires" error={error} hint={<Resolved choice={choice} date={date} />}>
        {(control) => (
          <NativeSelect {...control} value={choice} onChange={({ target }) => choose(target.value)}>
            {PRESETS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
            <option value={CUSTOM}>On a date</option>
            <option value={NEVER}>Never</option>
          </NativeSelect>
        )}
      </Field>
      {choice === CUSTOM && (
        <Input
          type="date"
          aria-label="Last day"
          min={tomorrow()}
          onChange={(event) => chooseDay(event.target.value)}
          className="tabular"
        />
      )}
    </div>
  );
}

function Resolved({ choice, date }: { choice: string; date: Date | null }) {
  if (choice === NEVER) return "The key works until someone revokes it.";
  if (!date) return "Choose the last day below.";
  return (
    <>
      Works until <AbsoluteTime date={date} time />
    </>
  );
}

function tomorrow(): string {
  return dayOf(new Date(Date.now() + DAY_MS));
}
