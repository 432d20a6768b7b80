import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import type { RunData } from "./playground.tsx";

const STAGE_WORDS: Record<string, string> = {
  embed: "Embed the question",
  blocks: "Read the index's blocks",
  filter: "Apply filters",
  lexical: "Search by words",
  vector: "Search by meaning",
  fuse: "Fuse both",
  hydrate: "Read the passages",
  rerank: "Rerank",
  answer: "Write the answer",
};

/** Where the time went, how many candidates each stage had, and how each result came to its place. */
export function TracePanel({ data: { stages, trace, requestId, response, degraded } }: { data: RunData }) {
  const longest = Math.max(...Object.values(stages), 1);
  return (
    <Card>
      <CardHeader
        title="How it came about"
        description={
          <>
            {trace.vectorCandidates} candidates by meaning and {trace.lexicalCandidates} by words made {trace.fused};{" "}
            {trace.aboveThreshold} were above the threshold, {response.total} are shown.
            {degraded.length > 0 && ` Went on without: ${degraded.join(", ")}.`}
          </>
        }
      />
      <CardBody className="grid gap-5">
        <dl className="grid gap-1.5">
          {Object.entries(stages).map(([stage, ms]) => (
            <div
              key={stage}
              className="grid grid-cols-[10rem_minmax(0,1fr)_4.5rem] items-center gap-3 text-sm max-sm:grid-cols-[1fr_auto]"
            >
              <dt>{STAGE_WORDS[stage] ?? stage}</dt>
              <div aria-hidden className="h-2 rounded-full bg-subtle max-sm:hidden">
                <div
                  className="h-2 rounded-full bg-chart-1"
                  style={{ width: `${Math.max(1, (100 * ms) / longest)}%` }}
                />
              </div>
              <dd className="tabular text-right text-muted">{ms.toFixed(1)} ms</dd>
            </div>
          ))}
        </dl>
        <div className="overflow-x-auto">
          <Table>
            <caption className="sr-only">How each result came to its place</caption>
            <TableHead>
              <TableRow>
                {["Result", "By meaning", "By words", "Cosine", "Words", "Fused", "Score"].map((name) => (
                  <TableHeader key={name} scope="col">
                    {name}
                  </TableHeader>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {trace.results.map((result, index) => (
                <TableRow key={result.id}>
                  <TableCell>[{index + 1}]</TableCell>
                  <TableCell>{rank(result.vectorRank)}</TableCell>
                  <TableCell>{rank(result.lexicalRank)}</TableCell>
                  <TableCell>{result.cosine.toFixed(3)}</TableCell>
                  <TableCell>{result.lexical.toFixed(3)}</TableCell>
                  <TableCell>
                    {result.fusedScore.toFixed(3)} (#{result.fusedRank})
                  </TableCell>
                  <TableCell>{result.score.toFixed(3)}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </div>
        <p className="break-all text-muted text-sm">
          Request <code className="font-mono">{requestId}</code> · model {trace.model ?? "none"}
        </p>
      </CardBody>
    </Card>
  );
}

function rank(place: number | null): string {
  return place === null ? "–" : `#${place}`;
}
