"use client";

import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import ChevronsLeft from "lucide-react/icons/chevrons-left";
import ChevronsRight from "lucide-react/icons/chevrons-right";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { cn } from "@/components/cn.ts";
import { dayLabel, monthLabel } from "@/components/time-words.ts";
import { Button } from "@/components/ui/button.tsx";
import { addMonths, clampDay, type DayRange, dayAfterKey, weeksOf } from "@/components/ui/calendar-days.ts";
import { PlainButton } from "@/components/ui/plain-button.tsx";
import { dayOf } from "@/lib/durations.ts";

const WEEKDAYS = [...["Monday", "Tuesday", "Wednesday", "Thursday"], ...["Friday", "Saturday", "Sunday"]];

export interface CalendarProps extends DayRange {
  /** The chosen day as `2026-01-31`, or null. */
  value: string | null;
  onChoose: (day: string) => void;
  /** The button of the day that the keys move from. */
  currentButton: RefObject<HTMLButtonElement | null>;
}

/**
 * A month in which a day is chosen by click, or by the arrow keys, Home, End, Page Up and Page Down. Its table is a grid,
 * where the buttons get the focus and not the cells.
 */
export function Calendar({ value, onChoose, currentButton, ...range }: CalendarProps) {
  const today = dayOf(new Date());
  const [current, setCurrent] = useState(() => clampDay(value ?? today, range));
  const isMovedByKey = useRef(false);
  const titleId = useId();

  useEffect(() => {
    // not after a click on another month
    if (current && isMovedByKey.current) currentButton.current?.focus();
    isMovedByKey.current = false;
  }, [current, currentButton]);

  function move(event: KeyboardEvent): void {
    const next = dayAfterKey(current, event);
    if (!next) return;
    event.preventDefault();
    const allowed = clampDay(next, range);
    isMovedByKey.current = allowed !== current;
    setCurrent(allowed);
  }

  function step(months: number): Pick<StepButtonProps, "isLast" | "onStep"> {
    const next = clampDay(addMonths(current, months), range);
    return { isLast: next.slice(0, 7) === current.slice(0, 7), onStep: () => setCurrent(next) };
  }

  return (
    <div className="grid gap-2 p-2">
      <div className="flex items-center justify-between">
        <StepButton label="Previous year" {...step(-12)}>
          <ChevronsLeft aria-hidden />
        </StepButton>
        <StepButton label="Previous month" {...step(-1)}>
          <ChevronLeft aria-hidden />
        </StepButton>
        <span id={titleId} aria-live="polite" className="tabular grow text-center font-medium">
          {monthLabel(current)}
        </span>
        <StepButton label="Next month" {...step(1)}>
          <ChevronRight aria-hidden />
        </StepButton>
        <StepButton label="Next year" {...step(12)}>
          <ChevronsRight aria-hidden />
        </StepButton>
      </div>
      <table role="grid" aria-labelledby={titleId} onKeyDown={move} className="tabular text-center">
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" abbr={name} className="h-8 font-normal text-muted text-xs">
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(current).map((week) => (
            <tr key={week.find(Boolean)}>
              {week.map((day, weekday) =>
                day === null ? (
                  <td key={WEEKDAYS[weekday]} />
                ) : (
                  <td key={day} role="gridcell" aria-selected={day === value}>
                    <PlainButton
                      ref={day === current ? currentButton : undefined}
                      tabIndex={day === current ? 0 : -1}
                      aria-label={dayLabel(day)}
                      aria-current={day === today ? "date" : undefined}
                      disabled={clampDay(day, range) !== day}
                      onClick={() => onChoose(day)}
                      className={cn(
                        "size-9 rounded-sm transition-colors hover:bg-hover off:cursor-not-allowed off:text-muted off:opacity-50 max-sm:size-11",
                        day === today && "font-semibold text-accent",
                        day === value && "bg-primary text-primary-foreground hover:bg-primary-hover",
                      )}
                    >
                      {Number(day.slice(8))}
                    </PlainButton>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface StepButtonProps {
  label: string;
  /** Whether no allowed day lies further on. */
  isLast: boolean;
  onStep: () => void;
  children: ReactNode;
}

function StepButton({ label, isLast, onStep, children }: StepButtonProps) {
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      title={label}
      // a disabled button would lose the focus
      aria-disabled={isLast}
      onClick={isLast ? undefined : onStep}
    >
      {children}
    </Button>
  );
}
