"use client";

import { debounce, useQueryStates } from "nuqs";
import { useTransition } from "react";
import { FilterSummary } from "@/components/filter-summary.tsx";
import { SearchField } from "@/components/search-field.tsx";
import { OptionSelect } from "@/components/ui/option-select.tsx";
import { counted } from "@/lib/counted.ts";
import { LISTED_STATES } from "@/lib/test-questions/states.ts";
import { testParams } from "./search-params.ts";
import { STATE_WORDS } from "./state-badge.tsx";

/** Search and state. They are kept in the URL, and the server applies them. */
export function TestFilters({ total }: { total: number }) {
  const [isPending, startTransition] = useTransition();
  const [{ q, state }, setParams] = useQueryStates(testParams, { shallow: false, startTransition });
  return (
    <search className="grid gap-3">
      <SearchField
        label="Search test questions"
        placeholder="Search by question or source"
        value={q}
        pending={isPending}
        onChange={(value) =>
          void setParams({ q: value || null, page: null }, { limitUrlUpdates: value ? debounce(300) : undefined })
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        <OptionSelect
          aria-label="State"
          className="w-full sm:w-48"
          options={LISTED_STATES.map((each) => ({ value: each, label: STATE_WORDS[each] }))}
          none="All states"
          value={state}
          onChange={(value) => void setParams({ state: value, page: null })}
        />
        <FilterSummary
          count={counted(total, "test question")}
          hasFilters={Boolean(q || state)}
          onClear={() => void setParams({ q: null, state: null, page: null })}
        />
      </div>
    </search>
  );
}
