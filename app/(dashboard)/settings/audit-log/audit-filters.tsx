"use client";

import X from "lucide-react/icons/x";
import { useQueryStates } from "nuqs";
import { type ReactNode, useId, useTransition } from "react";
import { cn } from "@/components/cn.ts";
import { Button } from "@/components/ui/button.tsx";
import { Input } from "@/components/ui/input.tsx";
import { NativeSelect } from "@/components/ui/native-select.tsx";
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
      <NativeSelect
        aria-label="Who"
        className="w-full sm:w-48"
        value={actor ?? ""}
        onChange={({ target }) => void setParams({ actor: target.value || null, page: null })}
      >
        <option value="">Everyone</option>
        {actors.map(({ name, count }) => (
          <option key={name} value={name}>
            {`${name} (${count})`}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        aria-label="What"
        className="w-full sm:w-60"
        value={action ?? ""}
        onChange={({ target }) => void setParams({ action: target.value || null, page: null })}
      >
        <option value="">All changes</option>
        {actions.map(({ id, words }) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </NativeSelect>
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
      {hasFilters && (
        <Button
          variant="ghost"
          size="sm"
          className="self-center"
          onClick={() => void setParams({ actor: null, action: null, from: null, to: null, page: null })}
        >
          <X aria-hidden />
          Clear
        </Button>
      )}
      <span aria-live="polite" className="tabular ml-auto self-center text-muted text-sm">
        {counted(total, "change")}
      </span>
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
