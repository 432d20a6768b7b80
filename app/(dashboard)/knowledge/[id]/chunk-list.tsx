import { cn } from "@/components/cn.ts";
import { counted } from "@/lib/counted.ts";
import type { SourceDetails } from "@/lib/knowledge/browse/source-page.ts";
import type { SourceStatus } from "@/lib/knowledge/values.ts";

interface ChunkListProps {
  chunks: SourceDetails["chunks"];
  total: number;
  /** The id of the chunk that the URL asks for. */
  highlighted: string | null;
  status: SourceStatus;
}

/** The chunks in reading order, as plain text: their content is untrusted, so no markup, image or link is rendered. */
export function ChunkList({ chunks, total, highlighted, status }: ChunkListProps) {
  return (
    <>
      <h2 id="chunks" className="font-semibold text-base">
        {counted(total, "chunk")}
      </h2>
      {total === 0 && (
        <p className="rounded-lg border border-border border-dashed px-5 py-8 text-center text-muted">
          {status === "processing"
            ? "The chunks appear here once the source has been processed."
            : "This source has no chunks."}
        </p>
      )}
      <ol className="grid gap-3">
        {groupByContent(chunks).map((group) => (
          <ChunkItem key={group[0].position} group={group} highlighted={highlighted} />
        ))}
      </ol>
    </>
  );
}

type Chunk = ChunkListProps["chunks"][number];
/** Adjacent chunks with the same text: an answer has one chunk for each alternative question. */
type ChunkGroup = [Chunk, ...Chunk[]];

function groupByContent(chunks: Chunk[]): ChunkGroup[] {
  const found: ChunkGroup[] = [];
  for (const chunk of chunks) {
    const last = found.at(-1);
    if (last?.[0].content === chunk.content) last.push(chunk);
    else found.push([chunk]);
  }
  return found;
}

function ChunkItem({ group, highlighted }: { group: ChunkGroup; highlighted: string | null }) {
  const [{ id, position, page, headings, content }] = group;
  const isHighlighted = group.some((chunk) => chunk.id === highlighted);
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
        {group.length > 1 && `–${position + group.length}, one with the answer and one for each phrasing`}
      </span>
      {headings.length > 0 && <p className="mb-2 text-muted text-sm">{headings.join(" › ")}</p>}
      <p className="whitespace-pre-wrap">{content}</p>
    </li>
  );
}
