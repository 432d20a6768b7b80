import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { cache } from "react";
import { z } from "zod";
import { BackLink } from "@/components/back-link.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { playgroundLink } from "@/components/playground-link.ts";
import { Button } from "@/components/ui/button.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { AppError } from "@/lib/errors.ts";
import { type ChunkDetails, getChunk } from "@/lib/knowledge/browse/chunk-page.ts";
import { TYPE_WORDS } from "../../source-words.ts";
import { ChunkFacts } from "./chunk-facts.tsx";
import { ChunkText } from "./chunk-text.tsx";

interface ChunkPageProps {
  params: Promise<{ id: string }>;
}

/** Cached, because the metadata and the page both read the chunk. */
const read = cache(async (id: string) => {
  const { scope, actor } = await requireMember();
  if (!z.uuid().safeParse(id).success) notFound();
  return getChunk(scope, actor, id).catch((error: unknown) => {
    if (error instanceof AppError && error.error === "NotFound") notFound();
    throw error;
  });
});

export async function generateMetadata({ params }: ChunkPageProps): Promise<Metadata> {
  const { source, place } = await read((await params).id);
  return { title: place ? `Chunk ${place.position + 1} of ${source.title}` : source.title };
}

/** A chunk, as results contain it, between its neighbours. */
export default async function ChunkPage({ params }: ChunkPageProps) {
  const chunk = await read((await params).id);
  const { id, source, place, headings } = chunk;
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <BackLink href={`/knowledge/${source.id}`}>{source.title}</BackLink>
        <PageHeader
          title={place ? `Chunk ${place.position + 1} of ${place.version.chunkCount}` : "Chunk"}
          description={headings.join(" › ") || TYPE_WORDS[source.type]}
          actions={
            <>
              {place?.isServed && (
                <Button asChild variant="secondary">
                  <Link href={`/knowledge/${source.id}?chunk=${id}#${id}`}>Open in its source</Link>
                </Button>
              )}
              <Button asChild>
                <Link href={playgroundLink(questionFor(chunk))}>Try a question for this chunk</Link>
              </Button>
            </>
          }
        />
      </div>
      <Notice chunk={chunk} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <ChunkText chunk={chunk} />
        <ChunkFacts chunk={chunk} />
      </div>
    </>
  );
}

/** A start for the question: that of a Q&A, or the closest heading. */
function questionFor({ source, headings }: ChunkDetails): string {
  return source.type === "qa" ? source.title : (headings.at(-1) ?? source.title);
}

function Notice({ chunk: { source, place } }: { chunk: ChunkDetails }) {
  const notice = noticeWords(source.deletedAt !== null, place);
  return notice && <p className="rounded-lg bg-warning-soft px-4 py-3 text-warning">{notice}</p>;
}

function noticeWords(isDeleted: boolean, place: ChunkDetails["place"]): string | null {
  if (isDeleted) return "The source of this chunk is deleted. Requests no longer find it.";
  if (place?.isServed) return null;
  if (place?.version.state === "building") return "This chunk is part of a version that is still being processed.";
  return "The source has changed. Its current version does not have this chunk, so requests no longer find it.";
}
