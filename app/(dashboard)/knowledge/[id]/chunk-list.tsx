import { cn } from "@/components/cn.ts";
import { counted } from "@/lib/counted.ts";
import type { SourceDetails } from "@/lib/knowledge/source-page.ts";
import type { SourceStatus } from "@/lib/knowledge/values.ts";

interface ChunkListProps {
  chunks: SourceDetails["chunks"];
  total: number;
  /** The id of the chunk that somebody came for. */
  highlighted: string | null;
  status: SourceStatus;
}

/** The passages in reading order, as the text that they are: nothing in it is run, loaded or linked. */
export function ChunkList({ chunks, total, highlighted, status }: ChunkListProps) {
  return (
    <>
      <h2 id="passages" className="font-semibold text-base">
        {counted(total, "passage")}
      </h2>
      {total === 0 && (
        <p className="rounded-lg border border-border border-dashed px-5 py-8 text-center text-muted">
          {status === "processing"
            ? "The chunks appear here once the source has been processed."
            : "This source has no chunks."}
        </p>
      )}
      <ol className="grid gap-3">
        {runs(chunks).map((run) => (
          <Passage key={run[0].position} run={run} highlighted={highlighted} />
        ))}
      </ol>
    </>
  );
}

type Chunk = ChunkListProps["chunks"][number];
/** Neighbours of the same text: an answer has a passage for each way to ask for it. */
type Run = [Chunk, ...Chunk[]];

function runs(chunks: Chunk[]): Run[] {
  const found: Run[] = [];
  for (const chunk of chunks) {
    const last = found.at(-1);
    if (last?.[0].content === chunk.content) last.push(chunk);
    else found.push([chunk]);
  }
  return found;
}

function Passage({ run, highlighted }: { run: Run; highlighted: string | null }) {
  const [{ id, position, page, headings, content }] = run;
  const isHighlighted = run.some((chunk) => chunk.id === highlighted);
  return (
    <li
      id={id}
      aria-current={isHighlighted ? "location" : undefined}
      className={cn(
        "scroll-mt-20 rounded-lg border border-border bg-surface px-5 py-4 shadow-xs",
        isHighlighted && "border-accent outline-2 outline-accent",
      )}
    >
      <span className="tabular float-right ml-4 text-muted text-sm">
        {page !== null && `Page ${page} · `}#{position + 1}
        {run.length > 1 && `–${position + run.length}, one for each phrasing`}
      </span>
      {headings.length > 0 && <p className="mb-2 text-muted text-sm">{headings.join(" › ")}</p>}
      <p className="whitespace-pre-wrap">{content}</p>
    </li>
  );
}
