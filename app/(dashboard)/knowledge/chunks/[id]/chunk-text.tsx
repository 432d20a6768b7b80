import Link from "next/link";
import type { ChunkDetails } from "@/lib/knowledge/browse/chunk-page.ts";

/** A chunk between its neighbours, as plain text: their content is untrusted. */
export function ChunkText({ chunk }: { chunk: ChunkDetails }) {
  const { id, headings, content, place, neighbours } = chunk;
  if (!place) return <Focused id={id} content={content} />;
  const before = neighbours.filter(({ position }) => position < place.position);
  const after = neighbours.filter(({ position }) => position > place.position);
  return (
    <section aria-label="Chunk in its context" className="grid min-w-0 gap-3">
      {before.length > 0 && place.position > before.length && <Edge>Earlier chunks are not shown.</Edge>}
      {before.map((each) => (
        <Neighbour key={each.position} chunk={each} headings={headings} />
      ))}
      <Focused id={id} content={content} />
      {after.map((each) => (
        <Neighbour key={each.position} chunk={each} headings={headings} />
      ))}
      {after.length > 0 && place.position + after.length + 1 < place.version.chunkCount && (
        <Edge>Later chunks are not shown.</Edge>
      )}
    </section>
  );
}

function Focused({ id, content }: { id: string; content: string }) {
  return (
    <article
      id={id}
      aria-current="location"
      className="rounded-lg border border-accent bg-surface px-5 py-4 shadow-xs outline-2 outline-accent"
    >
      <p className="wrap-anywhere whitespace-pre-wrap">{content}</p>
    </article>
  );
}

interface NeighbourProps {
  chunk: ChunkDetails["neighbours"][number];
  /** Of the chunk in the middle. The same headings are not repeated. */
  headings: string[];
}

function Neighbour({ chunk: { id, position, page, headings: own, content }, headings }: NeighbourProps) {
  return (
    <article className="rounded-lg border border-border px-5 py-4">
      <p className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4 text-muted text-sm">
        <span className="wrap-anywhere">{own.join() !== headings.join() && own.join(" › ")}</span>
        <Link href={`/knowledge/chunks/${id}`} className="underline-offset-4 hover:text-foreground hover:underline">
          {page !== null && `Page ${page} · `}Chunk {position + 1}
        </Link>
      </p>
      {/* short on a phone, where the chunk itself would be far below */}
      <p className="wrap-anywhere whitespace-pre-wrap text-muted max-sm:line-clamp-3">{content}</p>
    </article>
  );
}

function Edge({ children }: { children: string }) {
  return <p className="text-center text-muted text-sm">{children}</p>;
}
