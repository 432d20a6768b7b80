"use client";

import ChevronDown from "lucide-react/icons/chevron-down";
import Search from "lucide-react/icons/search";
import X from "lucide-react/icons/x";
import { debounce, useQueryStates } from "nuqs";
import { useTransition } from "react";
import { cn } from "@/components/cn.ts";
import { Button } from "@/components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu.tsx";
import { Input } from "@/components/ui/input.tsx";
import type { Facet, Facets } from "@/lib/knowledge/facets.ts";
import { listParams } from "./search-params.ts";
import { STATUS_WORDS } from "./source-status.tsx";

const ANY = "";
export const TYPE_WORDS = { document: "Document", qa: "Question" };
const count = new Intl.NumberFormat("en");

interface SourceFiltersProps {
  facets: Facets;
  total: number;
}

/** Search and facets; the address holds them, the server does the work. */
export function SourceFilters({ facets, total }: SourceFiltersProps) {
  const [isPending, startTransition] = useTransition();
  const [params, setParams] = useQueryStates(listParams, { shallow: false, startTransition });
  const { type, audience, category, path, status } = params;
  const isNarrowed = Boolean(params.q || type || audience || category || status || path.length > 0);
  return (
    <search className="grid gap-3">
      <div className="relative">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
        />
        <Input
          type="search"
          aria-label="Search sources"
          placeholder="Search by title, identifier or words of the content"
          className="pl-9"
          value={params.q}
          maxLength={200}
          onChange={({ target: { value } }) =>
            void setParams({ q: value || null, page: null }, { limitUrlUpdates: value ? debounce(300) : undefined })
          }
        />
        {isPending && (
          <span aria-hidden className="absolute inset-x-3 bottom-0.5 h-0.5 animate-working rounded-full bg-accent" />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <FacetMenu
          label="Type"
          values={facets.types}
          chosen={type}
          words={(value) => TYPE_WORDS[value]}
          onChoose={(value) => void setParams({ type: value, page: null })}
        />
        <FacetMenu
          label="Audience"
          values={facets.audiences}
          chosen={audience}
          onChoose={(value) => void setParams({ audience: value, page: null })}
        />
        <FacetMenu
          label="Category"
          values={facets.categories}
          chosen={category}
          onChoose={(value) => void setParams({ category: value, page: null })}
        />
        <PathMenu
          values={facets.paths}
          path={path}
          onChoose={(value) => void setParams({ path: value.length > 0 ? value : null, page: null })}
        />
        <FacetMenu
          label="Status"
          values={facets.statuses}
          chosen={status}
          words={(value) => STATUS_WORDS[value]}
          onChoose={(value) => void setParams({ status: value, page: null })}
        />
        {isNarrowed && (
          <Button variant="ghost" size="sm" onClick={() => void setParams({ ...NOTHING, page: null })}>
            <X aria-hidden />
            Clear
          </Button>
        )}
        <span aria-live="polite" className="tabular ml-auto text-muted text-sm">
          {count.format(total)} {total === 1 ? "source" : "sources"}
        </span>
      </div>
    </search>
  );
}

const NOTHING = { q: null, type: null, audience: null, category: null, path: null, status: null };

interface FacetMenuProps<Value extends string> {
  label: string;
  values: Facet<Value>[];
  chosen: Value | null;
  words?: (value: Value) => string;
  onChoose: (value: Value | null) => void;
}

function FacetMenu<Value extends string>({ label, values, chosen, words = String, onChoose }: FacetMenuProps<Value>) {
  if (values.length === 0) return null;
  return (
    <DropdownMenu>
      <FacetTrigger label={label} chosen={chosen === null ? null : words(chosen)} />
      <DropdownMenuContent align="start" className="max-h-80 max-w-80 overflow-y-auto">
        <DropdownMenuRadioGroup
          value={chosen ?? ANY}
          onValueChange={(picked) => onChoose(values.find(({ value }) => value === picked)?.value ?? null)}
        >
          <DropdownMenuRadioItem value={ANY}>Any</DropdownMenuRadioItem>
          {values.map((facet) => (
            <FacetItem key={facet.value} value={facet.value} words={words(facet.value)} count={facet.count} />
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

interface PathMenuProps {
  /** The next segments. */
  values: Facet[];
  path: string[];
  onChoose: (path: string[]) => void;
}

/** Down a step, or back up to any step that led here. */
function PathMenu({ values, path, onChoose }: PathMenuProps) {
  if (values.length === 0 && path.length === 0) return null;
  return (
    <DropdownMenu>
      <FacetTrigger label="Path" chosen={path.length > 0 ? path.join(" / ") : null} />
      <DropdownMenuContent align="start" className="max-h-80 max-w-80 overflow-y-auto">
        <DropdownMenuRadioGroup
          value={String(path.length)}
          onValueChange={(picked) => {
            const next = values.find(({ value }) => `below ${value}` === picked);
            onChoose(next ? [...path, next.value] : path.slice(0, Number(picked)));
          }}
        >
          <DropdownMenuRadioItem value="0">Any</DropdownMenuRadioItem>
          {path.map((_, depth) => {
            const step = path.slice(0, depth + 1).join(" / ");
            return (
              <DropdownMenuRadioItem key={step} value={String(depth + 1)}>
                <span className="truncate">{step}</span>
              </DropdownMenuRadioItem>
            );
          })}
          {values.length > 0 && path.length > 0 && <DropdownMenuLabel>Below it</DropdownMenuLabel>}
          {values.map((facet) => (
            <FacetItem key={facet.value} value={`below ${facet.value}`} words={facet.value} count={facet.count} />
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function FacetTrigger({ label, chosen }: { label: string; chosen: string | null }) {
  return (
    <DropdownMenuTrigger asChild>
      <Button
        variant="secondary"
        size="sm"
        className={cn("max-w-60 max-sm:h-11", chosen !== null && "border-accent bg-accent-soft text-accent")}
      >
        <span className="truncate">{chosen === null ? label : `${label}: ${chosen}`}</span>
        <ChevronDown aria-hidden />
      </Button>
    </DropdownMenuTrigger>
  );
}

function FacetItem({ value, words, count: number }: { value: string; words: string; count: number }) {
  return (
    <DropdownMenuRadioItem value={value}>
      <span className="truncate">{words}</span>
      <span className="tabular ml-auto pl-4 text-muted text-sm">{count.format(number)}</span>
    </DropdownMenuRadioItem>
  );
}
