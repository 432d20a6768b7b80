"use client";

import { useQueryStates } from "nuqs";
import { useTransition } from "react";
import { cn } from "@/components/cn.ts";
import { OptionSelect } from "@/components/ui/option-select.tsx";
import { useDisabledUntilHydrated } from "@/components/use-hydrated.ts";
import { PLAYGROUND, USAGE_DAYS } from "@/lib/usage/log-filter.ts";
import { logParams, usageUrlKeys } from "./search-params.ts";

export interface KeyChoice {
  id: string;
  name: string;
}

/** Filters the requests by key and period, from the first page. */
export function UsageFilters({ keys }: { keys: KeyChoice[] }) {
  const [isPending, startTransition] = useTransition();
  const [{ days, sender }, setParams] = useQueryStates(logParams, { ...usageUrlKeys, shallow: false, startTransition });
  return (
    <div className={cn("flex flex-wrap items-center gap-2", isPending && "animate-pulse")}>
      <OptionSelect
        aria-label="API key"
        className="w-full sm:w-56"
        options={[
          { value: PLAYGROUND, label: "Playground" },
          ...keys.map(({ id, name }) => ({ value: id, label: `Key: ${name}` })),
        ]}
        none="All requests"
        unknown="Unknown key"
        value={sender}
        onChange={(value) => void setParams({ sender: value, page: null })}
      />
      <fieldset
        {...useDisabledUntilHydrated(false)}
        className="flex rounded-md border border-border-strong bg-surface p-0.5 shadow-xs max-sm:w-full"
      >
        <legend className="sr-only">Period</legend>
        {USAGE_DAYS.map((range) => (
          <label
            key={range}
            className="flex h-7.5 flex-1 cursor-pointer items-center justify-center whitespace-nowrap rounded-sm px-3 text-muted text-sm has-checked:bg-hover has-checked:font-medium has-checked:text-foreground has-focus-visible:outline-2 has-focus-visible:outline-accent max-sm:h-10"
          >
            <input
              type="radio"
              name="days"
              className="sr-only"
              checked={days === range}
              onChange={() => void setParams({ days: range, page: null })}
            />
            {range} days
          </label>
        ))}
      </fieldset>
    </div>
  );
}
