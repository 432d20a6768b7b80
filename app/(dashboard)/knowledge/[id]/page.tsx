import Download from "lucide-react/icons/download";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import type { SearchParams } from "nuqs/server";
import { cache } from "react";
import { z } from "zod";
import { BackLink } from "@/components/back-link.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { Pagination } from "@/components/pagination.tsx";
import { Button } from "@/components/ui/button.tsx";
import { COMPANY_PARAM } from "@/lib/auth/page-company.ts";
import { requireMember } from "@/lib/auth/session.ts";
import { counted } from "@/lib/counted.ts";
import { AppError } from "@/lib/errors.ts";
import { listLabels } from "@/lib/knowledge/browse/list-labels.ts";
import { getSource } from "@/lib/knowledge/browse/source-page.ts";
import { CHUNKS_PER_PAGE } from "@/lib/knowledge/values.ts";
import { verifiedCloseness } from "@/lib/test-questions/verified-closeness.ts";
import { SourceStatus } from "../source-status.tsx";
import { TYPE_WORDS } from "../source-words.ts";
import { ChunkList } from "./chunk-list.tsx";
import { ChunkSearch } from "./chunk-search.tsx";
import { ContentButton } from "./content-button.tsx";
import { ReplaceFile } from "./replace-file.tsx";
import { loadSourceParams, sourceQueryString } from "./search-params.ts";
import { SourceActions } from "./source-actions.tsx";
import { SourceLabels } from "./source-labels.tsx";
import { SourceNotice } from "./source-notice.tsx";
import { VerificationCard } from "./verification-card.tsx";
import { VersionList } from "./version-list.tsx";

/** Up to this many chunks, the page shows no search. */
const CHUNKS_WITHOUT_SEARCH = 5;

interface SourcePageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

/** Cached, because the metadata and the page both read the source. */
const read = cache(async (id: string, page: number, chunkId: string | null, search: string) => {
  const { scope, actor } = await requireMember();
  if (!z.uuid().safeParse(id).success) notFound();
  return getSource(scope, actor, id, { page, chunkId, search }).catch((error: unknown) => {
    if (error instanceof AppError && error.error === "NotFound") notFound();
    throw error;
  });
});

async function open({ params, searchParams }: SourcePageProps) {
  const [{ id }, { page, chunk, find, edit, question }] = await Promise.all([params, loadSourceParams(searchParams)]);
  const chunkId = z.uuid().safeParse(chunk).success ? chunk : null;
  const search = find.slice(0, 200).trim();
  return { chunkId, search, edit, question, source: await read(id, page, chunkId, search) };
}

export async function generateMetadata(props: SourcePageProps): Promise<Metadata> {
  return { title: (await open(props)).source.title };
}

export default async function SourcePage(props: SourcePageProps) {
  const { scope, actor, role } = await requireMember();
  const { source, chunkId, search, edit, question } = await open(props);
  const { id, title, sourceId, type, status, file, chunkCount, page } = source;
  const canEdit = role === "admin";
  return (
    <>
      <div className="grid gap-2">
        <BackLink href="/knowledge">Knowledge</BackLink>
        <PageHeader
          title={title}
          description={
            <span className="break-all">
              {TYPE_WORDS[type]} · <span className="font-mono text-sm">{sourceId}</span>
            </span>
          }
          badge={<SourceStatus status={status} progress={source.progress} />}
          actions={
            <>
              {file && (
                <Button asChild variant="secondary">
                  <a href={`/knowledge/${id}/original?${COMPANY_PARAM}=${scope.companyId}`} download>
                    <Download aria-hidden />
                    Original
                  </a>
                </Button>
              )}
              {canEdit && status !== "deleted" && file && <ReplaceFile sourceId={sourceId} fileName={file.name} />}
              {canEdit && status !== "deleted" && <SourceActions id={id} />}
              {status !== "deleted" && source.isEditable && <ContentButton id={id} canEdit={canEdit} />}
            </>
          }
        />
      </div>
      <SourceNotice source={source} canEdit={canEdit} />
      {!file && !source.isEditable && status !== "deleted" && <LongTextNotice />}
      {edit && file && canEdit && status !== "deleted" && <FileNotice question={question} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <section aria-labelledby="chunks" className="grid min-w-0 gap-4">
          <h2 id="chunks" className="font-semibold text-base">
            {counted(chunkCount, "chunk")}
          </h2>
          {(chunkCount > CHUNKS_WITHOUT_SEARCH || search) && <ChunkSearch found={source.found} total={chunkCount} />}
          <ChunkList
            type={type}
            chunks={source.chunks}
            total={chunkCount}
            search={search}
            highlighted={chunkId}
            status={status}
          />
          <Pagination
            page={page}
            pageSize={CHUNKS_PER_PAGE}
            total={source.found}
            href={(to) => `/knowledge/${id}${sourceQueryString({ page: to, find: search })}`}
          />
        </section>
        <div className="grid gap-6 max-lg:contents">
          <div className="max-lg:order-first">
            <SourceLabels
              source={source}
              canEdit={canEdit && status !== "deleted"}
              known={await listLabels(scope, actor)}
            />
          </div>
          {type === "qa" && status !== "deleted" && (
            <VerificationCard source={source} closeness={await verifiedCloseness(scope, actor)} canEdit={canEdit} />
          )}
          <VersionList id={id} versions={source.versions} />
        </div>
      </div>
    </>
  );
}

function LongTextNotice() {
  return (
    <p className="rounded-lg border border-border bg-subtle px-5 py-3">
      This text is larger than 1 MB, so it cannot be edited here. To change it, send the new text through the API.
    </p>
  );
}

/** Says how to change a text that comes from a file, or to answer this question without it. */
function FileNotice({ question }: { question: string }) {
  return (
    <p className="rounded-lg border border-border bg-subtle px-5 py-3">
      This text comes from a file. Download the original, correct it, and replace the file. You can also{" "}
      <Link
        href={`/knowledge/add?${new URLSearchParams({ tab: "question", question })}`}
        className="text-accent underline underline-offset-4"
      >
        add a question
      </Link>{" "}
      with the right answer.
    </p>
  );
}
