"use client";

import X from "lucide-react/icons/x";
import { debounce, useQueryStates } from "nuqs";
import { useTransition } from "react";
import { SearchField } from "@/components/search-field.tsx";
import { Button } from "@/components/ui/button.tsx";
import { NativeSelect } from "@/components/ui/native-select.tsx";
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
        placeholder="Words of a question, or of a source's identifier"
        value={q}
        pending={isPending}
        onChange={(value) =>
          void setParams({ q: value || null, page: null }, { limitUrlUpdates: value ? debounce(300) : undefined })
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        <NativeSelect
          aria-label="State"
          className="w-full sm:w-48"
          value={state ?? ""}
          onChange={({ target }) =>
            void setParams({ state: LISTED_STATES.find((each) => each === target.value) ?? null, page: null })
          }
        >
          <option value="">All states</option>
          {LISTED_STATES.map((each) => (
            <option key={each} value={each}>
              {STATE_WORDS[each]}
            </option>
          ))}
        </NativeSelect>
        {(q || state) && (
          <Button variant="ghost" size="sm" onClick={() => void setParams({ q: null, state: null, page: null })}>
            <X aria-hidden />
            Clear
          </Button>
        )}
        <span aria-live="polite" className="tabular ml-auto text-muted text-sm">
          {counted(total, "test question")}
        </span>
      </div>
    </search>
  );
}
