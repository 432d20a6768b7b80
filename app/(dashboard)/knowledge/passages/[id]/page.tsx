import { notFound, redirect } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/lib/auth/session.ts";
import { AppError } from "@/lib/errors.ts";
import { sourceOfChunk } from "@/lib/knowledge/source-page.ts";

/** From a chunk's id, as results have it, to its place in its source. */
export default async function PassagePage({ params }: { params: Promise<{ id: string }> }) {
  const { scope, actor } = await requireMember();
  const chunkId = z.uuid().safeParse((await params).id);
  if (!chunkId.success) notFound();
  const source = await sourceOfChunk(scope, actor, chunkId.data).catch((error: unknown) => {
    if (error instanceof AppError && error.error === "NotFound") notFound();
    throw error;
  });
  redirect(`/knowledge/${source}?chunk=${chunkId.data}#${chunkId.data}`);
}
