import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "@/components/cn.ts";
import { splitText } from "@/components/split-text.ts";
import { searchWords, wordPattern } from "@/lib/knowledge/browse/search-words.ts";
import type { SourceDetails } from "@/lib/knowledge/browse/source-page.ts";
import type { SourceStatus } from "@/lib/knowledge/values.ts";

interface ChunkListProps {
  type: SourceDetails["type"];
  chunks: SourceDetails["chunks"];
  total: number;
  /** Words that the chunks contain; empty for all chunks. */
  search: string;
  /** The id of the chunk that the URL asks for. */
  highlighted: string | null;
  status: SourceStatus;
}

/** The chunks in reading order, as plain text: their content is untrusted, so no markup, image or link is rendered. */
export function ChunkList({ type, chunks, total, search, highlighted, status }: ChunkListProps) {
  const pattern = wordPattern(searchWords(search));
  return (
    <>
      {total === 0 && (
        <p className="rounded-lg border border-border border-dashed px-5 py-8 text-center text-muted">
          {status === "processing"
            ? "The chunks appear here once the source has been processed."
            : "This source has no chunks."}
        </p>
      )}
      {total > 0 && chunks.length === 0 && (
        <p className="rounded-lg border border-border border-dashed px-5 py-8 text-center text-muted">
          No chunk has all these words. Search for fewer words, or for a part of a word.
        </p>
      )}
      <ol className="grid gap-3">
        {(type === "qa" ? groupByContent(chunks) : chunks.map((chunk): ChunkGroup => [chunk])).map((group) => (
          <ChunkItem key={group[0].position} group={group} pattern={pattern} highlighted={highlighted} />
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

interface ChunkItemProps {
  group: ChunkGroup;
  /** What to highlight. */
  pattern: RegExp | null;
  highlighted: string | null;
}

function ChunkItem({ group, pattern, highlighted }: ChunkItemProps) {
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
      <Link
        href={`/knowledge/chunks/${id}`}
        prefetch={false}
        className={cn(
          "tabular float-right ml-4 text-muted text-sm underline-offset-4 hover:text-foreground hover:underline",
          // a long line would wrap beside nothing on a phone
          group.length > 1 && "max-sm:float-none max-sm:mb-1 max-sm:ml-0 max-sm:block",
        )}
      >
        {page !== null && `Page ${page} · `}#{position + 1}
        {group.length > 1 && `–${position + group.length}, one with the answer and one for each phrasing`}
        <span className="sr-only">, open chunk</span>
      </Link>
      {headings.length > 0 && <p className="mb-2 text-muted text-sm">{marked(headings.join(" › "), pattern)}</p>}
      <p className="whitespace-pre-wrap">{marked(content, pattern)}</p>
    </li>
  );
}

function marked(text: string, pattern: RegExp | null): ReactNode {
  if (!pattern) return text;
  return splitText(text, pattern).map((part) => (part.matched ? <mark key={part.at}>{part.text}</mark> : part.text));
}
