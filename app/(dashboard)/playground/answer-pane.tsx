"use client";

import { useState } from "react";
import { CopyButton } from "@/components/copy-button.tsx";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card.tsx";
import type { Run } from "./run.ts";
import { splitText } from "./split-text.ts";

const ReportForm = lazyComponent(() => import("./report-form.tsx").then((module) => module.ReportForm));

const CITATION = /\[\d+\]/g;

interface AnswerPaneProps {
  run: Run;
  /** Shows the result with this rank, from 1. */
  onCite: (rank: number) => void;
}

export function AnswerPane({ run: { form, data }, onCite }: AnswerPaneProps) {
  const { aiGeneratedAnswer: answer, results } = data.response;
  const [reporting, setReporting] = useState(false);
  if (answer === undefined) {
    return (
      <Card>
        <CardHeader title="Answer" />
        <CardBody className="text-muted">No answer was requested. Turn on “AI answer” and run again.</CardBody>
      </Card>
    );
  }
  const cited = [...new Set(answer.match(CITATION))].map(rankOf).filter((rank) => results[rank - 1]);
  return (
    <Card>
      <CardHeader title="Answer" description={remark(data, cited.length > 0)} />
      <CardBody className="grid gap-4 pt-3">
        <p className="whitespace-pre-line leading-relaxed">
          {splitText(answer, CITATION).map(({ at, text, matched }) =>
            matched ? <Citation key={at} rank={rankOf(text)} onCite={onCite} /> : text,
          )}
        </p>
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
      <CardFooter className="flex-wrap gap-2">
        <CopyButton text={answer} label="Copy answer" labelled />
        {!reporting && (
          <Button variant="ghost" onClick={() => setReporting(true)}>
            Report as wrong
          </Button>
        )}
      </CardFooter>
      {reporting && <ReportForm question={form.queryText} answer={answer} requestId={data.requestId} />}
    </Card>
  );
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

function remark({ degraded, truncatedFields }: Run["data"], isSupported: boolean): string | undefined {
  const remarks = [
    degraded.includes("generation") &&
      "The answer model is unavailable. This answer is made from sentences of the chunks.",
    !isSupported && "The chunks do not answer the question.",
    truncatedFields.length > 0 && `Shortened to fit the prompt: ${truncatedFields.join(", ")}.`,
  ].filter(Boolean);
  return remarks.length > 0 ? remarks.join(" ") : undefined;
}
