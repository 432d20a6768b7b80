import Link from "next/link";
import { RelativeTime } from "@/components/relative-time.tsx";
import { placeWords } from "@/components/result-place.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { citedNumbers } from "@/lib/ai/find-citations.ts";
import { counted } from "@/lib/counted.ts";
import type { Receipt, ReceiptResult } from "@/lib/usage/receipt.ts";

/** The results as they were returned. Results that the answer cites are open. */
export function ReceiptResults({ results, answer }: Pick<Receipt, "results" | "answer">) {
  const cited = new Set(citedNumbers(answer ?? ""));
  return (
    <section aria-labelledby="results" className="grid min-w-0 gap-3">
      <h2 id="results" className="font-semibold text-base">
        {results.length === 0 ? "No results" : counted(results.length, "result")}
      </h2>
      <ol className="grid gap-3">
        {results.map((result, index) => (
          <Result key={result.id} result={result} rank={index + 1} isCited={cited.has(index + 1)} />
        ))}
      </ol>
    </section>
  );
}

export function resultAnchor(rank: number): string {
  return `result-${rank}`;
}

interface ResultProps {
  result: ReceiptResult;
  /** From 1, as in citations. */
  rank: number;
  isCited: boolean;
}

function Result({ result, rank, isCited }: ResultProps) {
  const { id, title, sourceId, score, sha256, content, state, source } = result;
  const place = placeWords(result);
  return (
    <li
      id={resultAnchor(rank)}
      className="scroll-mt-20 rounded-lg border border-border bg-surface shadow-xs target:border-accent target:outline-2 target:outline-accent"
    >
      <details open={isCited}>
        <summary className="grid cursor-pointer grid-cols-[1.5rem_minmax(0,1fr)_auto] items-baseline gap-x-2 gap-y-1 rounded-lg px-4 py-3 hover:bg-subtle [&::-webkit-details-marker]:hidden">
          <span className="tabular text-muted text-sm">{rank}</span>
          <span className="wrap-anywhere font-medium">{title ?? sourceId}</span>
          <span className="tabular text-muted text-sm" title="Score, from 0 to 1">
            <span className="sr-only">Score </span>
            {score.toFixed(3)}
          </span>
          <span className="wrap-anywhere col-start-2 text-muted text-sm">{place}</span>
          {(isCited || state !== "served") && (
            <span className="col-start-2 flex flex-wrap gap-1.5">
              {isCited && <Badge tone="accent">Cited</Badge>}
              {state === "changed" && <Badge tone="warning">Changed since</Badge>}
              {state === "deleted" && <Badge tone="danger">Deleted since</Badge>}
            </span>
          )}
        </summary>
        <div className="grid gap-3 border-border border-t px-4 py-3">
          {content === null ? (
            <p className="text-muted">The text of this chunk is no longer stored.</p>
          ) : (
            <p className="wrap-anywhere whitespace-pre-wrap">{content}</p>
          )}
          <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-muted text-sm">
            {source && (
              <Link
                href={content === null ? `/knowledge/${source.id}` : `/knowledge/chunks/${id}`}
                className="text-accent underline underline-offset-4"
              >
                {content === null ? "Open the source as it is now" : "Open chunk"}
              </Link>
            )}
            {state === "changed" && source?.versionAt && (
              <span>
                The source's current version is from <RelativeTime date={source.versionAt} />.
              </span>
            )}
            <span className="break-all font-mono text-xs">{sourceId}</span>
            {sha256 && (
              <span className="font-mono text-xs" title={`SHA-256 of the text: ${sha256}`}>
                {sha256.slice(0, 12)}
              </span>
            )}
          </p>
        </div>
      </details>
    </li>
  );
}
