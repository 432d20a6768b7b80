import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { SearchParams } from "nuqs/server";
import { cache } from "react";
import { z } from "zod";
import { BackLink } from "@/components/back-link.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { requireLinkedMember } from "@/lib/auth/session.ts";
import { getCompany } from "@/lib/companies/service.ts";
import { AppError } from "@/lib/errors.ts";
import { readSettings } from "@/lib/retrieval/logged-settings.ts";
import { getReceipt } from "@/lib/usage/receipt.ts";
import { AskAgain } from "../../ask-again.tsx";
import { CopyLink } from "../../copy-link.tsx";
import { FixLink } from "../../fix-link.tsx";
import { ReceiptReports } from "../../receipt-reports.tsx";
import { loadReceiptParams } from "../../search-params.ts";
import { ComparedAnswers } from "./compared-answers.tsx";
import { ComparedResults } from "./compared-results.tsx";

export const metadata: Metadata = { title: "Before and after" };

interface ComparePageProps {
  params: Promise<{ id: string; after: string }>;
  searchParams: Promise<SearchParams>;
}

/** Cached, because a comparison of a request with itself reads it twice. */
const read = cache(async (id: string, company: string | null) => {
  const { scope, actor } = await requireLinkedMember(company);
  if (!z.uuid().safeParse(id).success) notFound();
  return getReceipt(scope, actor, id).catch((error: unknown) => {
    if (error instanceof AppError && error.error === "NotFound") notFound();
    throw error;
  });
});

/** A request and a later one with the same question, side by side. */
export default async function ComparePage({ params, searchParams }: ComparePageProps) {
  const { company } = await loadReceiptParams(searchParams);
  const { scope, actor, role } = await requireLinkedMember(company);
  const { id, after: afterId } = await params;
  const [before, after] = [await read(id, company), await read(afterId, company)];
  const { queryText } = before;
  if (queryText === null || queryText !== after.queryText || !before.trace || !after.trace) notFound();
  const { keepAnswers, hashQueries } = await getCompany(scope, actor);
  const settings = readSettings(before.request);
  return (
    <>
      <div className="grid gap-2">
        <BackLink href={`/usage/requests/${id}`}>Request</BackLink>
        <PageHeader
          title={queryText}
          description="How the question was answered then, and how it is answered now."
          actions={
            <>
              <CopyLink path={`/usage/requests/${id}/compare/${afterId}`} companyId={scope.companyId} />
              {!hashQueries && <AskAgain id={id} />}
              <FixLink receipt={after} canEdit={role === "admin"} />
            </>
          }
        />
      </div>
      {settings?.completed && (
        <p className="rounded-md bg-warning-soft px-4 py-3 text-warning">
          The first request was completed from its chat, which is not stored. The second one searched the question
          alone.
        </p>
      )}
      <ComparedAnswers
        before={before}
        after={after}
        isWanted={settings?.returnMode === "ai_generated_answer"}
        keepsAnswers={keepAnswers && !hashQueries}
      />
      {before.reports.length + after.reports.length > 0 && (
        <div className="grid items-start gap-6 md:grid-cols-2">
          <div className="empty:max-md:hidden">
            <ReceiptReports receipt={before} />
          </div>
          <ReceiptReports receipt={after} />
        </div>
      )}
      <ComparedResults before={before.results} after={after.results} />
    </>
  );
}
