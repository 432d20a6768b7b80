"use client";

import { debounce, useQueryStates } from "nuqs";
import { type ReactNode, useTransition } from "react";
import { FilterSummary } from "@/components/filter-summary.tsx";
import { SearchField } from "@/components/search-field.tsx";
import { OptionSelect } from "@/components/ui/option-select.tsx";
import { counted } from "@/lib/counted.ts";
import { OUTCOMES, type Outcome } from "@/lib/usage/log-filter.ts";
import { logParams, usageUrlKeys } from "../search-params.ts";

const OUTCOME_WORDS: Record<Outcome, string> = {
  errors: "Errors",
  unanswered: "Unanswered",
  degraded: "Degraded",
};

/** Search and outcome. They are kept in the URL, and the server applies them. */
export function RequestFilters({ total, children }: { total: number; children: ReactNode }) {
  const [isPending, startTransition] = useTransition();
  const [{ q, outcome, sender }, setParams] = useQueryStates(logParams, {
    ...usageUrlKeys,
    shallow: false,
    startTransition,
  });
  return (
    <search className="grid gap-3">
      <SearchField
        label="Search requests"
        placeholder="Request ID or words of a question"
        value={q}
        pending={isPending}
        onChange={(value) =>
          void setParams({ q: value || null, page: null }, { limitUrlUpdates: value ? debounce(300) : undefined })
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <OptionSelect
          aria-label="Outcome"
          className="w-full sm:w-48"
          options={OUTCOMES.map((name) => ({ value: name, label: OUTCOME_WORDS[name] }))}
          none="All outcomes"
          value={outcome}
          onChange={(value) => void setParams({ outcome: value, page: null })}
        />
        <FilterSummary
          count={counted(total, "request")}
          hasFilters={Boolean(q || outcome || sender)}
          onClear={() => void setParams({ q: null, outcome: null, sender: null, page: null })}
        />
      </div>
    </search>
  );
}
