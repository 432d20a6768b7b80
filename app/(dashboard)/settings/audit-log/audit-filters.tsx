"use client";

import { useQueryStates } from "nuqs";
import { type ReactNode, useId, useState, useTransition } from "react";
import { cn } from "@/components/cn.ts";
import { FilterSummary } from "@/components/filter-summary.tsx";
import { DayInput } from "@/components/ui/day-input.tsx";
import { OptionSelect } from "@/components/ui/option-select.tsx";
import { counted } from "@/lib/counted.ts";
import { DAY_MS, dayOf } from "@/lib/durations.ts";
import { auditParams } from "./search-params.ts";

const PERIODS = [
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
  { value: "dates", label: "Between dates" },
] as const;

type Period = (typeof PERIODS)[number]["value"];

interface AuditActor {
  id: string;
  name: string;
  email: string | null;
  count: number;
}

interface AuditFiltersProps {
  actors: AuditActor[];
  actions: { id: string; words: string }[];
  total: number;
}

/** Filters by actor, action and date. They are kept in the URL, and the server applies them. */
export function AuditFilters({ actors, actions, total }: AuditFiltersProps) {
  const [isPending, startTransition] = useTransition();
  const [{ actor, action, from, to }, setParams] = useQueryStates(auditParams, { shallow: false, startTransition });
  const [isChoosingDates, setChoosingDates] = useState(false);
  const period = isChoosingDates ? "dates" : periodOf(from, to);
  const hasFilters = actor !== null || action !== null || from !== null || to !== null;

  function choosePeriod(next: Period | null): void {
    setChoosingDates(next === "dates");
    if (next !== "dates") void setParams({ from: next && firstDayOf(next), to: null, page: null });
  }

  return (
    <search className={cn("flex flex-wrap items-end gap-2", isPending && "animate-pulse")}>
      <OptionSelect
        aria-label="Who"
        className="w-full sm:w-48"
        options={actors.map((each) => ({ value: each.id, label: `${nameAmong(actors, each)} (${each.count})` }))}
        none="Everyone"
        unknown="Unknown person"
        value={actor}
        onChange={(value) => void setParams({ actor: value, page: null })}
      />
      <OptionSelect
        aria-label="What"
        className="w-full sm:w-60"
        options={actions.map(({ id, words }) => ({ value: id, label: words }))}
        none="All changes"
        value={action}
        onChange={(value) => void setParams({ action: value, page: null })}
      />
      <OptionSelect
        aria-label="When"
        className="w-full sm:w-40"
        options={PERIODS}
        none="Any time"
        value={period}
        onChange={choosePeriod}
      />
      {period === "dates" && (
        <>
          <Day label="From">
            {(control) => (
              <DayInput
                {...control}
                className="sm:w-36"
                placeholder="Any date"
                value={from && dayOf(from)}
                max={to ? dayOf(to) : undefined}
                onChange={(day) => void setParams({ from: startOf(day), page: null })}
              />
            )}
          </Day>
          <Day label="to">
            {(control) => (
              <DayInput
                {...control}
                className="sm:w-36"
                placeholder="Any date"
                value={to && dayOf(to)}
                min={from ? dayOf(from) : undefined}
                onChange={(day) => void setParams({ to: startOf(day), page: null })}
              />
            )}
          </Day>
          <span className="self-center text-muted text-sm">UTC</span>
        </>
      )}
      <FilterSummary
        count={counted(total, "change")}
        hasFilters={hasFilters}
        onClear={() => {
          setChoosingDates(false);
          void setParams({ actor: null, action: null, from: null, to: null, page: null });
        }}
      />
    </search>
  );
}

/** The name, with the email when someone else has the same name. */
function nameAmong(actors: AuditActor[], { id, name, email }: AuditActor): string {
  const isShared = email !== null && actors.some((other) => other.id !== id && other.name === name);
  return isShared ? `${name}, ${email}` : name;
}

function Day({ label, children }: { label: string; children: (control: { id: string; label: string }) => ReactNode }) {
  const id = useId();
  return (
    <span className="flex items-center gap-2 max-sm:w-full">
      <label htmlFor={id} className="whitespace-nowrap text-muted text-sm max-sm:w-20">
        {label}
      </label>
      {children({ id, label })}
    </span>
  );
}

/** Midnight in UTC. */
function startOf(day: string | null): Date | null {
  return day === null ? null : new Date(`${day}T00:00:00Z`);
}

/** The first of the last days, which include today. */
function firstDayOf(period: Exclude<Period, "dates">): Date | null {
  return startOf(dayOf(new Date(Date.now() - (Number(period) - 1) * DAY_MS)));
}

function periodOf(from: Date | null, to: Date | null): Period | null {
  if (from === null && to === null) return null;
  const isSince = (period: Exclude<Period, "dates">) =>
    to === null && firstDayOf(period)?.getTime() === from?.getTime();
  return (["7", "30", "90"] as const).find(isSince) ?? "dates";
}
