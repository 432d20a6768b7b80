"use client";

import Link from "next/link";
import { useState } from "react";
import { cn } from "@/components/cn.ts";
import { CopyButton } from "@/components/copy-button.tsx";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { splitCitations } from "@/components/split-text.ts";
import { droppedWords } from "@/components/trace/remarks.ts";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { verifiedWords } from "@/components/verified-words.ts";
import { citedNumbers } from "@/lib/ai/find-citations.ts";
import type { Run } from "./run.ts";

const ReportForm = lazyComponent(() => import("./report-form.tsx").then((module) => module.ReportForm));

interface AnswerPaneProps {
  run: Run;
  /** Shows the result with this rank, from 1. */
  onCite: (rank: number) => void;
}

export function AnswerPane({ run, onCite }: AnswerPaneProps) {
  const { form, found, answer, isReset, isWriting } = run;
  const { results } = found.response;
  const [reporting, setReporting] = useState(false);
  if (!form.answer) {
    return (
      <Card>
        <CardHeader title="Answer" />
        <CardBody className="text-muted">No answer was requested. Turn on “AI answer” and run again.</CardBody>
      </Card>
    );
  }
  const cited = citedNumbers(answer).filter((rank) => results[rank - 1]);
  const remarks = run.finished ? remarksOn(run.finished, cited.length > 0) : [];
  return (
    <Card aria-busy={isWriting}>
      <CardHeader title="Answer" />
      {/* in narrow layouts, the results stand below and must not move with every sentence */}
      <CardBody className="grid content-start gap-4 pt-3 max-[87.5rem]:min-h-56 max-sm:min-h-80">
        <div className={cn("min-h-24 transition-opacity", isReset && "opacity-50")}>
          {answer === "" && isWriting && <Placeholder />}
          <p className="whitespace-pre-line leading-relaxed">
            {splitCitations(answer).map(({ at, text, matched }) =>
              matched ? <Citation key={at} rank={rankOf(text)} onCite={onCite} /> : text,
            )}
          </p>
        </div>
        {remarks.length > 0 && <p className="text-muted text-sm">{remarks.join(" ")}</p>}
        {cited.length > 0 && (
          <ol aria-label="Cited" className="grid gap-1 border-border border-t pt-3 text-sm">
            {cited.map((rank) => (
              <li key={rank} className="flex min-w-0 items-baseline gap-1.5">
                <Citation rank={rank} onCite={onCite} />
                <span className="truncate text-muted">{results[rank - 1]?.payload.title}</span>
              </li>
            ))}
          </ol>
        )}
      </CardBody>
      <CardFooter className="flex-wrap justify-start gap-x-4 gap-y-2">
        <span role="status" className="empty:hidden">
          {progress(run)}
        </span>
        {run.finished && <CopyButton text={answer} label="Copy answer" labelled />}
        {run.finished && (
          <Button variant="link" className="max-sm:py-2" asChild>
            <Link href={`/usage/requests/${found.requestId}`}>Open request</Link>
          </Button>
        )}
        {run.finished && !reporting && (
          <Button variant="link" className="max-sm:py-2" onClick={() => setReporting(true)}>
            Report as wrong
          </Button>
        )}
      </CardFooter>
      {reporting && run.finished && (
        // a report is stored, so it has no names of the context
        <ReportForm question={form.queryText} answer={run.finished.keptAnswer ?? answer} requestId={found.requestId} />
      )}
    </Card>
  );
}

function Placeholder() {
  return (
    <div className="grid gap-3 pt-1.5">
      <Skeleton />
      <Skeleton />
      <Skeleton className="w-2/3" />
    </div>
  );
}

function progress({ isWriting, isReset, finished }: Run): string | null {
  if (isWriting) return isReset ? "Writing the answer again…" : "Writing the answer…";
  return finished ? null : "The answer is incomplete.";
}

function Citation({ rank, onCite }: { rank: number; onCite: (rank: number) => void }) {
  return (
    <button
      type="button"
      aria-label={`Show result ${rank}`}
      className="tabular mr-0.5 inline-grid h-4.5 min-w-4.5 place-items-center rounded-xs bg-accent-soft px-1 align-[0.1em] font-medium text-accent text-xs transition-colors hover:bg-accent hover:text-accent-foreground"
      onClick={() => onCite(rank)}
    >
      {rank}
    </button>
  );
}

function rankOf(citation: string): number {
  return Number(citation.slice(1, -1));
}

function remarksOn({ degraded, truncatedFields, trace }: NonNullable<Run["finished"]>, isSupported: boolean): string[] {
  return [
    degraded.includes("generation") &&
      "The answer model is unavailable. The answer may be made from sentences of the chunks.",
    trace.verified?.returned && verifiedWords(trace.verified),
    !isSupported && "The chunks do not answer the question.",
    droppedWords(trace.dropped ?? []),
    truncatedFields.length > 0 && `Shortened to fit the prompt: ${truncatedFields.join(", ")}.`,
  ].filter((remark) => typeof remark === "string");
}
