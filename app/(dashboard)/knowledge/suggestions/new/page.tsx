import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { z } from "zod";
import { BackLink } from "@/components/back-link.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { loadNewParams } from "../search-params.ts";
import { SuggestForm } from "./suggest-form.tsx";

export const metadata: Metadata = { title: "Suggest an answer" };

export default async function SuggestPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requireMember();
  const { question, request } = await loadNewParams(searchParams);
  return (
    <>
      <div className="grid gap-2">
        <BackLink href="/knowledge/suggestions">Suggestions</BackLink>
        <PageHeader
          title="Suggest an answer"
          description="An admin reviews your suggestion. It becomes searchable once an admin accepts it."
        />
      </div>
      <SuggestForm question={question} requestId={z.uuid().safeParse(request).data ?? null} />
    </>
  );
}
