import ExternalLink from "lucide-react/icons/arrow-up-right";
import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { cn } from "@/components/cn.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { joinPath } from "@/lib/label-text.ts";
import type { RetrieveResult } from "@/lib/retrieval/schema.ts";
import { TYPE_WORDS } from "../knowledge/source-words.ts";
import { HighlightedText } from "./highlighted-text.tsx";
import type { Cited } from "./run.ts";

/** Longest text, in characters, that is shown without "more": about six lines in the narrowest pane. */
const CLAMP_FROM = 380;

interface ResultCardProps {
  result: RetrieveResult;
  /** From 1, as in citations. */
  rank: number;
  /** Words of the title and the text that match the question. */
  matched: string[];
  cited: Cited | null;
}

export function ResultCard({ result: { id, score, payload }, rank, matched, cited }: ResultCardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const own = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!cited) return;
    setIsOpen(true);
    own.current?.focus({ preventScroll: true });
    own.current?.scrollIntoView({ block: "center", behavior: "smooth" });
  }, [cited]);
  const words = new Set(matched);
  const text = withoutTitle(payload);
  const { page, headings } = payload.metadata;
  return (
    <li
      ref={own}
      tabIndex={-1}
      aria-current={cited ? true : undefined}
      className={cn(
        "grid gap-2.5 rounded-lg border bg-surface px-4 py-3.5 shadow-xs outline-none transition-shadow",
        cited ? "border-accent ring-2 ring-accent" : "border-border",
      )}
    >
      <div className="flex items-baseline gap-2.5">
        <span className="tabular text-muted text-sm">{rank}</span>
        <Link href={`/knowledge/chunks/${id}`} className="group min-w-0 font-medium underline-offset-4 hover:underline">
          <HighlightedText text={payload.title} words={words} />
          <span className="sr-only">, open chunk</span>
          <ExternalLink
            aria-hidden
            className="ml-0.5 inline size-3.5 text-muted transition-colors group-hover:text-foreground"
          />
        </Link>
        <Score score={score} />
      </div>
      {Array.isArray(headings) && <p className="wrap-anywhere text-muted text-sm">{headings.join(" › ")}</p>}
      <p className={cn("whitespace-pre-line", !isOpen && text.length > CLAMP_FROM && "line-clamp-6")}>
        <HighlightedText text={text} words={words} />
      </p>
      {text.length > CLAMP_FROM && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="justify-self-start text-accent text-sm underline-offset-4 hover:underline max-sm:py-2"
        >
          {isOpen ? "Show less" : "Show all"}
        </button>
      )}
      <div className="flex flex-wrap gap-1.5">
        <Badge>{TYPE_WORDS[payload.sourceType]}</Badge>
        {typeof page === "number" && <Badge>Page {page}</Badge>}
        {payload.path.length > 0 && <Badge>{joinPath(payload.path)}</Badge>}
        <Badge>{payload.contentCategory}</Badge>
        {payload.audience.map((audience) => (
          <Badge key={audience} tone="accent">
            {audience}
          </Badge>
        ))}
      </div>
    </li>
  );
}

/** The chunk of a Q&A begins with the question, which is also its title, so the title is cut off. */
function withoutTitle({ title, content }: RetrieveResult["payload"]): string {
  return content.startsWith(`${title}\n\n`) ? content.slice(title.length + 2) : content;
}

/** The score that the threshold applies to. */
function Score({ score }: { score: number }) {
  return (
    <span className="ml-auto grid w-14 shrink-0 gap-1 self-center" title="Score, from 0 to 1">
      <span className="tabular text-right font-medium text-sm">
        <span className="sr-only">Score </span>
        {score.toFixed(3)}
      </span>
      <span aria-hidden className="h-1 rounded-full bg-subtle">
        <span className="block h-1 rounded-full bg-chart-1" style={{ width: `${Math.round(score * 100)}%` }} />
      </span>
    </span>
  );
}
