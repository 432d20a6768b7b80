import { cn } from "@/components/cn.ts";
import type { SourceDetails } from "@/lib/knowledge/source-page.ts";
import type { SourceStatus } from "@/lib/knowledge/values.ts";

interface ChunkListProps {
  chunks: SourceDetails["chunks"];
  total: number;
  /** The id of the chunk that somebody came for. */
  highlighted: string | null;
  status: SourceStatus;
}

const count = new Intl.NumberFormat("en");

/** The passages in reading order, as the text that they are: nothing in it is run, loaded or linked. */
export function ChunkList({ chunks, total, highlighted, status }: ChunkListProps) {
  return (
    <>
      <h2 id="passages" className="font-semibold text-base">
        {total === 1 ? "1 passage" : `${count.format(total)} passages`}
      </h2>
      {total === 0 && (
        <p className="rounded-lg border border-border border-dashed px-5 py-8 text-center text-muted">
          {status === "processing" ? "The passages appear here as soon as it has been read." : "There are none."}
        </p>
      )}
      <ol className="grid gap-3">
        {chunks.map((chunk) => (
          <Chunk key={chunk.position} chunk={chunk} isHighlighted={chunk.id === highlighted} />
        ))}
      </ol>
    </>
  );
}

function Chunk({ chunk, isHighlighted }: { chunk: ChunkListProps["chunks"][number]; isHighlighted: boolean }) {
  const { id, position, page, headings, content } = chunk;
  return (
    <li
      id={id}
      aria-current={isHighlighted ? "location" : undefined}
      className={cn(
        "grid scroll-mt-20 gap-2 rounded-lg border border-border bg-surface px-5 py-4 shadow-xs",
        isHighlighted && "border-accent outline-2 outline-accent",
      )}
    >
      <div className="flex items-baseline justify-between gap-4 text-muted text-sm">
        <span className="min-w-0 break-words">{headings.join(" › ")}</span>
        <span className="tabular shrink-0">
          {page !== null && `Page ${page} · `}#{position + 1}
        </span>
      </div>
      <p className="whitespace-pre-wrap break-words">{content}</p>
    </li>
  );
}
