import SearchX from "lucide-react/icons/search-x";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { cn } from "@/components/cn.ts";
import { EmptyState } from "@/components/empty-state.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import type { RetrieveResult } from "@/lib/retrieval/schema.ts";
import { splitText } from "./split-text.ts";

interface ResultListProps {
  results: RetrieveResult[];
  question: string;
  /** The place of the result that a citation was followed to. */
  cited: number | null;
}

export function ResultList({ results, question, cited }: ResultListProps) {
  if (results.length === 0) {
    return (
      <EmptyState icon={SearchX} title="Nothing found">
        No passage passes the filters, the threshold and the key&apos;s policy. Lower the threshold or take a filter
        away.
      </EmptyState>
    );
  }
  return (
    <section aria-label="Results" className="grid gap-3">
      <h2 className="font-semibold text-base">
        {results.length} {results.length === 1 ? "result" : "results"}
      </h2>
      <ol className="grid gap-3">
        {results.map((result, index) => (
          <Result key={result.id} result={result} place={index + 1} question={question} cited={cited === index + 1} />
        ))}
      </ol>
    </section>
  );
}

interface ResultProps {
  result: RetrieveResult;
  place: number;
  question: string;
  cited: boolean;
}

function Result({ result: { id, score, payload }, place, question, cited }: ResultProps) {
  const own = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (cited) own.current?.scrollIntoView({ block: "center" });
  }, [cited]);
  return (
    <li
      ref={own}
      className={cn(
        "grid gap-2 rounded-lg border bg-surface p-4 shadow-xs",
        cited ? "border-accent ring-1 ring-accent" : "border-border",
      )}
    >
      <div className="flex flex-wrap items-center gap-2">
        <span className="tabular text-muted text-sm">[{place}]</span>
        <Link href={`/knowledge/passages/${id}`} className="min-w-0 break-words font-medium hover:underline">
          {payload.title}
        </Link>
        <span className="tabular ml-auto font-mono text-sm" title="Score">
          {score.toFixed(3)}
        </span>
      </div>
      <div aria-hidden className="h-1 rounded-full bg-subtle">
        <div className="h-1 rounded-full bg-accent" style={{ width: `${Math.round(score * 100)}%` }} />
      </div>
      <p className="line-clamp-6 whitespace-pre-line break-words text-sm">
        <Marked text={payload.content} question={question} />
      </p>
      <div className="flex flex-wrap gap-1.5">
        <Badge>{payload.sourceType === "qa" ? "Q&A" : "Document"}</Badge>
        {payload.path.length > 0 && <Badge>{payload.path.join(" / ")}</Badge>}
        {payload.contentCategory !== "general" && <Badge>{payload.contentCategory}</Badge>}
        {payload.audience.map((audience) => (
          <Badge key={audience}>{audience}</Badge>
        ))}
      </div>
    </li>
  );
}

const WORD = /[\p{L}\p{N}]{4,}/gu;
const STEM_LENGTH = 5;

/** The words of the passage that begin as a word of the question does. */
function Marked({ text, question }: { text: string; question: string }) {
  const stems = new Set((question.match(WORD) ?? []).map(stemOf));
  return splitText(text, WORD).map(({ at, text: part, matched }) =>
    matched && stems.has(stemOf(part)) ? <mark key={at}>{part}</mark> : part,
  );
}

function stemOf(word: string): string {
  return word.toLowerCase().slice(0, STEM_LENGTH);
}
