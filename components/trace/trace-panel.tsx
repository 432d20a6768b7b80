import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card.tsx";
import { matchWords } from "@/components/verified-words.ts";
import { counted, countText } from "@/lib/counted.ts";
import { PlacementList } from "./placement-list.tsx";
import { remarksOf } from "./remarks.ts";
import type { TraceData } from "./stages.ts";
import { Timeline } from "./timeline.tsx";

interface TracePanelProps {
  data: TraceData;
  /** Titles of the results by id. */
  titles: Map<string, string>;
  degraded: readonly string[];
}

const SEARCHED: Record<string, string> = {
  memory: "The search ran in memory.",
  database: "The search ran in the database.",
};

const MISSING_PARTS: Record<string, string> = {
  embedding: "the embedding model, so keywords alone decided",
  rerank: "the reranker, so the combined score decided the order",
  generation: "the answer model, so the answer may consist of sentences from the chunks",
};

/** Shows the time and candidates of each stage, and how each result got its rank. */
export function TracePanel({ data, titles, degraded }: TracePanelProps) {
  const { trace, scoreThreshold, total, useRerank } = data;
  const remarks = remarksOf(trace);
  return (
    <Card>
      <CardHeader title="How this result was found" description={summarize(data)} />
      <CardBody className="grid gap-7">
        {degraded.length > 0 && (
          <p className="rounded-md bg-warning-soft px-3 py-2 text-warning">
            Unavailable for this run: {degraded.map((what) => MISSING_PARTS[what] ?? what).join("; ")}.
          </p>
        )}
        {trace.verified && <p className="wrap-anywhere text-muted">{matchWords(trace.verified)}</p>}
        <Timeline data={data} />
        {total > 0 && (
          <PlacementList
            results={trace.results}
            titles={titles}
            reranked={useRerank && !degraded.includes("rerank")}
            calibrated={trace.calibrated ?? false}
          />
        )}
        {remarks.length > 0 && (
          <ul className="grid gap-1.5 text-sm">
            {remarks.map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
        )}
      </CardBody>
      <CardFooter className="flex-wrap justify-start text-xs">
        <span>Vector score: cosine similarity ({trace.model ?? "no model"}). Keyword score: BM25, from 0 to 1.</span>
        <span># is the rank in that list. – means not in the list.</span>
        {trace.calibrated && (
          <span>Final scores are calibrated: the chance that the result is from the right source.</span>
        )}
        {scoreThreshold > 0 && <span>Threshold {scoreThreshold}.</span>}
      </CardFooter>
    </Card>
  );
}

function summarize({ trace, scoreThreshold, total }: TraceData): string {
  const { live, eligible, fused, read, aboveThreshold, index } = trace;
  return [
    eligible < live &&
      `${countText(eligible)} of ${counted(live, "chunk")} ${eligible === 1 ? "passes" : "pass"} the filters.`,
    `The searches found ${counted(fused, "candidate")}; the best ${countText(read)} ${read === 1 ? "was" : "were"} loaded`,
    scoreThreshold > 0 && `, ${aboveThreshold === 0 ? "none" : countText(aboveThreshold)} of them above the threshold`,
    `, ${total === 0 ? "none" : countText(total)} ${total < 2 ? "is" : "are"} returned.`,
    index && SEARCHED[index],
  ]
    .filter(Boolean)
    .join(" ")
    .replaceAll(" ,", ",");
}
