import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "@/components/cn.ts";
import type { RetrievalTrace } from "@/lib/db/stored-json.ts";

interface PlacementListProps {
  results: RetrievalTrace["results"];
  /** Titles by result id. A result without a title is named by its rank. */
  titles: Map<string, string>;
  reranked: boolean;
  /** Whether the final scores are calibrated. */
  calibrated: boolean;
}

/** By the number of scores after the vector and keyword scores. */
const COLUMNS = [
  "lg:grid-cols-[1.75rem_minmax(0,1fr)_repeat(3,6.5rem)]",
  "lg:grid-cols-[1.75rem_minmax(0,1fr)_repeat(4,6.5rem)]",
  "lg:grid-cols-[1.75rem_minmax(0,1fr)_repeat(5,6.5rem)]",
];

/** Shows how each result got its rank: one line per result on wide screens, else a small block. */
export function PlacementList({ results, titles, reranked, calibrated }: PlacementListProps) {
  const columns = COLUMNS[Number(reranked) + Number(calibrated)];
  return (
    <div className="grid">
      <div
        aria-hidden
        className={cn("hidden gap-x-4 border-border border-b pb-2 font-medium text-muted text-xs lg:grid", columns)}
      >
        <span />
        <span>Result</span>
        <span className="text-right">Vector score</span>
        <span className="text-right">Keyword score</span>
        <span className="text-right">Combined score</span>
        {reranked && <span className="text-right">Rerank score</span>}
        {calibrated && <span className="text-right">Calibrated</span>}
      </div>
      <ol aria-label="How each result got its rank" className="grid divide-y divide-border">
        {results.map((result, index) => (
          <li
            key={result.id}
            className={cn(
              "grid grid-cols-[1.75rem_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5 py-2.5 lg:py-2",
              columns,
            )}
          >
            <span className="tabular text-muted text-sm">{index + 1}</span>
            <Link
              href={`/knowledge/chunks/${result.id}`}
              className="truncate text-sm underline-offset-4 hover:underline"
            >
              {titles.get(result.id) ?? `Result ${index + 1}`}
            </Link>
            <dl className="contents max-lg:col-start-2 max-lg:grid max-lg:gap-x-6 max-lg:gap-y-1 sm:max-lg:grid-cols-2">
              <Measure name="Vector score" rank={result.vectorRank} value={result.cosine} />
              <Measure name="Keyword score" rank={result.lexicalRank} value={result.lexical} />
              <Measure
                name="Combined score"
                rank={result.fusedRank}
                value={result.fusedScore}
                strong={!reranked && !calibrated}
              />
              {reranked && (
                <Measure
                  name="Rerank score"
                  rank={index + 1}
                  value={result.rawScore ?? result.score}
                  strong={!calibrated}
                />
              )}
              {calibrated && <Measure name="Calibrated" rank={index + 1} value={result.score} strong />}
            </dl>
          </li>
        ))}
      </ol>
    </div>
  );
}

interface MeasureProps {
  name: string;
  /** From 1; null if the chunk is not among the candidates of this search. */
  rank: number | null;
  value: number;
  strong?: boolean;
}

function Measure({ name, rank, value, strong }: MeasureProps) {
  return (
    <div className="tabular flex items-baseline justify-between gap-2 text-sm lg:justify-end">
      <dt className="text-muted text-xs lg:sr-only">{name}</dt>
      <dd className="flex items-baseline gap-2">
        <Rank>{rank === null ? "–" : `#${rank}`}</Rank>
        <span className={cn(strong && "font-medium", !strong && "text-muted")}>{value.toFixed(3)}</span>
      </dd>
    </div>
  );
}

function Rank({ children }: { children: ReactNode }) {
  return <span className="text-muted text-xs">{children}</span>;
}
