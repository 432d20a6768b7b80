"use client";

import { useQueryStates } from "nuqs";
import { type ReactNode, useId, useTransition } from "react";
import { cn } from "@/components/cn.ts";
import { FilterSummary } from "@/components/filter-summary.tsx";
import { Input } from "@/components/ui/input.tsx";
import { OptionSelect } from "@/components/ui/option-select.tsx";
import { counted } from "@/lib/counted.ts";
import { dayOf } from "@/lib/durations.ts";
import { auditParams } from "./search-params.ts";

interface AuditFiltersProps {
  actors: { name: string; count: number }[];
  actions: { id: string; words: string }[];
  total: number;
}

/** Filters by actor, action and date. They are kept in the URL, and the server applies them. */
export function AuditFilters({ actors, actions, total }: AuditFiltersProps) {
  const [isPending, startTransition] = useTransition();
  const [{ actor, action, from, to }, setParams] = useQueryStates(auditParams, { shallow: false, startTransition });
  const hasFilters = actor !== null || action !== null || from !== null || to !== null;
  return (
    <search className={cn("flex flex-wrap items-end gap-2", isPending && "animate-pulse")}>
      <OptionSelect
        aria-label="Who"
        className="w-full sm:w-48"
        options={actors.map(({ name, count }) => ({ value: name, label: `${name} (${count})` }))}
        none="Everyone"
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
      <Day label="From (UTC)">
        {(id) => (
          <Input
            id={id}
            type="date"
            max={to ? dayOf(to) : ""}
            value={from ? dayOf(from) : ""}
            onChange={({ target }) => void setParams({ from: target.valueAsDate, page: null })}
          />
        )}
      </Day>
      <Day label="to">
        {(id) => (
          <Input
            id={id}
            type="date"
            min={from ? dayOf(from) : ""}
            value={to ? dayOf(to) : ""}
            onChange={({ target }) => void setParams({ to: target.valueAsDate, page: null })}
          />
        )}
      </Day>
      <FilterSummary
        count={counted(total, "change")}
        hasFilters={hasFilters}
        onClear={() => void setParams({ actor: null, action: null, from: null, to: null, page: null })}
      />
    </search>
  );
}

function Day({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <span className="flex items-center gap-2 max-sm:w-full">
      <label htmlFor={id} className="whitespace-nowrap text-muted text-sm max-sm:w-20">
        {label}
      </label>
      {children(id)}
    </span>
  );
}
