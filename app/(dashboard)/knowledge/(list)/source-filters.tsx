"use client";

import { debounce, useQueryStates } from "nuqs";
import { useTransition } from "react";
import { FilterSummary } from "@/components/filter-summary.tsx";
import { SearchField } from "@/components/search-field.tsx";
import { NativeSelect } from "@/components/ui/native-select.tsx";
import { OptionSelect } from "@/components/ui/option-select.tsx";
import { counted, countText } from "@/lib/counted.ts";
import type { Facet, Facets } from "@/lib/knowledge/browse/facets.ts";
import { joinPath } from "@/lib/label-text.ts";
import { STATUS_WORDS, TYPE_WORDS, VERIFICATION_WORDS } from "../source-words.ts";
import { listParams } from "./search-params.ts";

/** A facet that filters the list is highlighted. */
const FACET_STYLE =
  "sm:w-38 sm:[&>select]:h-8 [&>select]:text-sm has-data-chosen:[&>select]:border-accent has-data-chosen:[&>select]:bg-accent-soft has-data-chosen:[&>select]:text-accent";
interface SourceFiltersProps {
  facets: Facets;
  total: number;
}

/** Search and facets. They are kept in the URL, and the server applies them. */
export function SourceFilters({ facets, total }: SourceFiltersProps) {
  const [isPending, startTransition] = useTransition();
  const [params, setParams] = useQueryStates(listParams, { shallow: false, startTransition });
  const { type, audience, category, path, status, verification } = params;
  const hasFilters = Boolean(params.q || type || audience || category || status || verification || path.length > 0);
  return (
    <search className="grid gap-3">
      <SearchField
        label="Search sources"
        placeholder="Search by title, identifier or content"
        value={params.q}
        pending={isPending}
        onChange={(value) =>
          void setParams({ q: value || null, page: null }, { limitUrlUpdates: value ? debounce(300) : undefined })
        }
      />
      <div className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
        <FacetSelect
          label="Type"
          values={facets.types}
          chosen={type}
          words={(value) => TYPE_WORDS[value]}
          onChoose={(value) => void setParams({ type: value, page: null })}
        />
        <FacetSelect
          label="Audience"
          values={facets.audiences}
          chosen={audience}
          onChoose={(value) => void setParams({ audience: value, page: null })}
        />
        <FacetSelect
          label="Category"
          values={facets.categories}
          chosen={category}
          onChoose={(value) => void setParams({ category: value, page: null })}
        />
        <PathSelect
          values={facets.paths}
          path={path}
          onChoose={(value) => void setParams({ path: value.length > 0 ? value : null, page: null })}
        />
        <FacetSelect
          label="Status"
          values={facets.statuses}
          chosen={status}
          words={(value) => STATUS_WORDS[value]}
          onChoose={(value) => void setParams({ status: value, page: null })}
        />
        <FacetSelect
          label="Verification"
          values={facets.verifications}
          chosen={verification}
          words={(value) => VERIFICATION_WORDS[value]}
          onChoose={(value) => void setParams({ verification: value, page: null })}
        />
        <FilterSummary
          count={counted(total, "source")}
          hasFilters={hasFilters}
          onClear={() => void setParams({ ...NO_FILTERS, page: null })}
        />
      </div>
    </search>
  );
}

const NO_FILTERS = {
  ...{ q: null, type: null, audience: null },
  ...{ category: null, path: null, status: null, verification: null },
};

interface FacetSelectProps<Value extends string> {
  label: string;
  values: Facet<Value>[];
  chosen: Value | null;
  words?: (value: Value) => string;
  onChoose: (value: Value | null) => void;
}

function FacetSelect<Value extends string>({
  label,
  values,
  chosen,
  words = String,
  onChoose,
}: FacetSelectProps<Value>) {
  if (values.length === 0) return null;
  return (
    <OptionSelect
      aria-label={label}
      className={FACET_STYLE}
      options={values.map((facet) => ({
        value: facet.value,
        label: `${words(facet.value)} (${countText(facet.count)})`,
      }))}
      none={label}
      value={chosen}
      data-chosen={chosen !== null || undefined}
      onChange={onChoose}
    />
  );
}

interface PathSelectProps {
  /** Segments one level below `path`. */
  values: Facet[];
  path: string[];
  onChoose: (path: string[]) => void;
}

/** Goes one level down, or back up to any level above. */
function PathSelect({ values, path, onChoose }: PathSelectProps) {
  if (values.length === 0 && path.length === 0) return null;
  return (
    <NativeSelect
      aria-label="Path"
      className={FACET_STYLE}
      value={String(path.length)}
      data-chosen={path.length > 0 || undefined}
      onChange={({ target }) => {
        const next = values.find(({ value }) => `below ${value}` === target.value);
        onChoose(next ? [...path, next.value] : path.slice(0, Number(target.value)));
      }}
    >
      <option value="0">Path</option>
      {path.map((_, depth) => {
        const step = joinPath(path.slice(0, depth + 1));
        return (
          <option key={step} value={String(depth + 1)}>
            {step}
          </option>
        );
      })}
      {values.map((facet) => (
        <option key={facet.value} value={`below ${facet.value}`}>
          {`${joinPath([...path, facet.value])} (${countText(facet.count)})`}
        </option>
      ))}
    </NativeSelect>
  );
}
