import { placeWords } from "@/components/result-place.ts";
import { Badge, type Tone } from "@/components/ui/badge.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import type { LoggedResult } from "@/lib/db/stored-json.ts";
import { type ComparedResult, compareResults } from "@/lib/usage/compare-results.ts";

const CHANGES: Record<ComparedResult["change"], { words: string; tone: Tone }> = {
  same: { words: "Same", tone: "neutral" },
  moved: { words: "Moved", tone: "accent" },
  edited: { words: "Text changed", tone: "warning" },
  came: { words: "New", tone: "success" },
  left: { words: "Gone", tone: "danger" },
};

interface ComparedResultsProps {
  before: LoggedResult[];
  after: LoggedResult[];
}

/** The results of both requests in one list, with what moved, came and left. */
export function ComparedResults(results: ComparedResultsProps) {
  const compared = compareResults(results.before, results.after);
  return (
    <section aria-labelledby="results" className="grid gap-3">
      <h2 id="results" className="font-semibold text-base">
        Results
      </h2>
      {compared.length === 0 ? (
        <p className="text-muted">Neither request returned results.</p>
      ) : (
        <Table>
          <caption className="sr-only">Results before and now</caption>
          <TableHead>
            <tr>
              <TableHeader className="w-20 text-right">Before</TableHeader>
              <TableHeader className="w-20 text-right">Now</TableHeader>
              <TableHeader>Result</TableHeader>
            </tr>
          </TableHead>
          <TableBody>
            {compared.map(({ change, result, before, after }) => (
              <TableRow key={result.id}>
                <Rank placed={before} />
                <Rank placed={after} />
                <TableCell className="align-top">
                  <span className="flex flex-wrap items-center gap-2">
                    <span className="wrap-anywhere font-medium">{result.title ?? result.sourceId}</span>
                    <Badge tone={CHANGES[change].tone}>{CHANGES[change].words}</Badge>
                  </span>
                  <span className="wrap-anywhere text-muted text-sm">{placeWords(result)}</span>
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </section>
  );
}

function Rank({ placed }: { placed: ComparedResult["before"] }) {
  return (
    <TableCell className="tabular text-right align-top">
      {placed ? (
        <span className="grid">
          {placed.rank}
          <span className="text-muted text-sm" title="Score, from 0 to 1">
            <span className="sr-only">, score </span>
            {placed.score.toFixed(3)}
          </span>
        </span>
      ) : (
        <span className="text-muted">–</span>
      )}
    </TableCell>
  );
}
