"use client";

import X from "lucide-react/icons/x";
import { debounce, useQueryStates } from "nuqs";
import { type ReactNode, useTransition } from "react";
import { SearchField } from "@/components/search-field.tsx";
import { Button } from "@/components/ui/button.tsx";
import { NativeSelect } from "@/components/ui/native-select.tsx";
import { counted } from "@/lib/counted.ts";
import { OUTCOMES, type Outcome } from "@/lib/usage/log-filter.ts";
import { logParams } from "../search-params.ts";

const OUTCOME_WORDS: Record<Outcome, string> = {
  errors: "Errors",
  unanswered: "Without an answer",
  degraded: "Degraded",
};

/** Search and outcome. They are kept in the URL, and the server applies them. */
export function RequestFilters({ total, children }: { total: number; children: ReactNode }) {
  const [isPending, startTransition] = useTransition();
  const [{ q, outcome, source }, setParams] = useQueryStates(logParams, { shallow: false, startTransition });
  return (
    <search className="grid gap-3">
      <SearchField
        label="Search requests"
        placeholder="Request ID, its first characters, or words of a question"
        value={q}
        pending={isPending}
        onChange={(value) =>
          void setParams({ q: value || null, page: null }, { limitUrlUpdates: value ? debounce(300) : undefined })
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <NativeSelect
          aria-label="Outcome"
          className="w-full sm:w-48"
          value={outcome ?? ""}
          onChange={({ target }) =>
            void setParams({ outcome: OUTCOMES.find((name) => name === target.value) ?? null, page: null })
          }
        >
          <option value="">All outcomes</option>
          {OUTCOMES.map((name) => (
            <option key={name} value={name}>
              {OUTCOME_WORDS[name]}
            </option>
          ))}
        </NativeSelect>
        {(q || outcome || source) && (
          <Button
            variant="ghost"
            size="sm"
            onClick={() => void setParams({ q: null, outcome: null, source: null, page: null })}
          >
            <X aria-hidden />
            Clear
          </Button>
        )}
        <span aria-live="polite" className="tabular ml-auto text-muted text-sm">
          {counted(total, "request")}
        </span>
      </div>
    </search>
  );
}
