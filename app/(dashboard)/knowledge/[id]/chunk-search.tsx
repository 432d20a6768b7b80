"use client";

import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import { debounce, useQueryStates } from "nuqs";
import { useRef, useState, useTransition } from "react";
import { SearchField } from "@/components/search-field.tsx";
import { Button } from "@/components/ui/button.tsx";
import { counted, countText } from "@/lib/counted.ts";
import { sourceParams } from "./search-params.ts";

/** Marks the highlighted word that the person went to. */
const CURRENT_MARK = "outline-2 outline-accent";

interface ChunkSearchProps {
  /** Chunks that have the words. */
  found: number;
  total: number;
}

/** Searches the chunks of a source, and goes from one match on the page to the next. */
export function ChunkSearch({ found, total }: ChunkSearchProps) {
  const [isPending, startTransition] = useTransition();
  const [{ find }, setParams] = useQueryStates(sourceParams, { shallow: false, startTransition });
  const [place, setPlace] = useState<string | null>(null);
  const current = useRef<Element | null>(null);

  function go(step: 1 | -1): void {
    const marks = [...document.querySelectorAll("main ol mark")];
    if (marks.length === 0) return;
    const last = current.current ? marks.indexOf(current.current) : -1;
    const next = last === -1 && step === -1 ? marks.length - 1 : (last + step + marks.length) % marks.length;
    current.current?.classList.remove(...CURRENT_MARK.split(" "));
    current.current = marks[next] ?? null;
    current.current?.classList.add(...CURRENT_MARK.split(" "));
    current.current?.scrollIntoView({ block: "center" });
    setPlace(`Match ${next + 1} of ${marks.length} on this page`);
  }

  return (
    <search className="sticky top-0 z-10 grid gap-2 bg-background py-2 max-lg:top-14">
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          go(1);
        }}
      >
        <div className="min-w-0 grow">
          <SearchField
            label="Search within this source"
            placeholder="Search within this source"
            value={find}
            pending={isPending}
            onChange={(value) => {
              setPlace(null);
              void setParams(
                { find: value || null, page: null, chunk: null },
                { limitUrlUpdates: value ? debounce(300) : undefined },
              );
            }}
          />
        </div>
        <Button
          type="button"
          variant="secondary"
          size="icon"
          aria-label="Previous match"
          disabled={!find || found === 0}
          onClick={() => go(-1)}
        >
          <ChevronUp aria-hidden />
        </Button>
        <Button type="submit" variant="secondary" size="icon" aria-label="Next match" disabled={!find || found === 0}>
          <ChevronDown aria-hidden />
        </Button>
      </form>
      <p aria-live="polite" className="tabular text-muted text-sm empty:hidden">
        {find && (place ?? `${countText(found)} of ${counted(total, "chunk")}`)}
      </p>
    </search>
  );
}
