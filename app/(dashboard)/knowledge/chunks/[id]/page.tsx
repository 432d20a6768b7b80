import { notFound, redirect } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/lib/auth/session.ts";
import { AppError } from "@/lib/errors.ts";
import { sourceOfChunk } from "@/lib/knowledge/browse/source-page.ts";

/** Redirects from the id of a chunk, as results contain it, to the chunk on the page of its source. */
export default async function ChunkPage({ params }: { params: Promise<{ id: string }> }) {
  const { scope, actor } = await requireMember();
  const chunkId = z.uuid().safeParse((await params).id);
  if (!chunkId.success) notFound();
  const source = await sourceOfChunk(scope, actor, chunkId.data).catch((error: unknown) => {
    if (error instanceof AppError && error.error === "NotFound") notFound();
    throw error;
  });
  redirect(`/knowledge/${source}?chunk=${chunkId.data}#${chunkId.data}`);
}
