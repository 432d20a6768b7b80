"use client";

import { useState } from "react";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { DayInput } from "@/components/ui/day-input.tsx";
import { Field } from "@/components/ui/field.tsx";
import { NativeSelect } from "@/components/ui/native-select.tsx";
import { endOfDay, lastDayWithin } from "@/lib/api-keys/last-day.ts";
import { DAY_MS, dayOf } from "@/lib/durations.ts";

const PRESETS = [
  { value: "7", label: "7 days", days: 7 },
  { value: "30", label: "30 days", days: 30 },
  { value: "90", label: "90 days", days: 90 },
  { value: "365", label: "1 year", days: 365 },
];
const CUSTOM = "custom";
const NEVER = "never";
const UNCHANGED = "unchanged";

export const DEFAULT_EXPIRY = "90";

/** When a key that is created now expires; null for never, and while no date is chosen. */
export function expiryDate(choice: string): Date | null {
  const preset = PRESETS.find(({ value }) => value === choice);
  return preset ? new Date(Date.now() + preset.days * DAY_MS) : null;
}

interface ExpiryFieldProps {
  /** The expiry of a key that exists, null for never. Later dates and *Never* are not offered. */
  current?: Date | null;
  onChange: (expiresAt: Date | string | null) => void;
  error: string | undefined;
}

export function ExpiryField({ current, onChange, error }: ExpiryFieldProps) {
  const exists = current !== undefined;
  const [choice, setChoice] = useState(exists ? UNCHANGED : DEFAULT_EXPIRY);
  const [date, setDate] = useState(() => (exists ? current : expiryDate(DEFAULT_EXPIRY)));
  const [day, setDay] = useState<string | null>(null);
  const lastDay = current ? lastDayWithin(current) : undefined;
  const presets = PRESETS.filter(({ value }) => isEarlier(expiryDate(value), current));

  function choose(next: string): void {
    setChoice(next);
    setDay(null);
    const resolved = next === UNCHANGED && exists ? current : expiryDate(next);
    setDate(resolved);
    // an empty string fails the schema, which then asks for a date
    onChange(next === CUSTOM ? "" : resolved);
  }

  function chooseDay(chosen: string | null): void {
    setDay(chosen);
    const resolved = chosen ? endOfDay(chosen) : null;
    setDate(resolved);
    onChange(resolved ?? "");
  }

  return (
    <div className="grid gap-4">
      <Field label="Expires" error={error} hint={<Resolved choice={choice} date={date} />}>
        {(control) => (
          <NativeSelect {...control} value={choice} onChange={({ target }) => choose(target.value)}>
            {exists && <option value={UNCHANGED}>As now</option>}
            {presets.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
            {(!lastDay || lastDay >= today()) && <option value={CUSTOM}>On a date</option>}
            {!exists && <option value={NEVER}>Never</option>}
          </NativeSelect>
        )}
      </Field>
      {choice === CUSTOM && (
        <Field label="Last day" hint="In UTC. The key stops working at the end of this day.">
          {(control) => (
            <DayInput {...control} label="Last day" value={day} min={today()} max={lastDay} onChange={chooseDay} />
          )}
        </Field>
      )}
    </div>
  );
}

function Resolved({ choice, date }: { choice: string; date: Date | null }) {
  if (choice === NEVER || (choice === UNCHANGED && !date)) return "The key works until someone revokes it.";
  if (!date) return "Choose the last day below.";
  return (
    <>
      Works until <AbsoluteTime date={date} time />
    </>
  );
}

function isEarlier(date: Date | null, current: Date | null | undefined): boolean {
  return !current || (date !== null && date < current);
}

function today(): string {
  return dayOf(new Date());
}
