import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { BackLink } from "@/components/back-link.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { getCompany } from "@/lib/companies/service.ts";
import { listLabels } from "@/lib/knowledge/browse/list-labels.ts";
import { AddTabs } from "./add-tabs.tsx";
import { loadAddParams } from "./search-params.ts";

export const metadata: Metadata = { title: "Add knowledge" };

export default async function AddKnowledgePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { scope, actor } = await requireMember({ role: "admin" });
  const { question } = await loadAddParams(searchParams);
  const [{ defaultAudience }, known] = await Promise.all([getCompany(scope, actor), listLabels(scope, actor)]);
  return (
    <>
      <div className="grid gap-2">
        <BackLink href="/knowledge" unfiltered>
          Knowledge
        </BackLink>
        <PageHeader
          title="Add knowledge"
          description="Ragstone splits each source into chunks and makes it searchable within seconds. A source with the same name replaces the existing one."
        />
      </div>
      <AddTabs known={known} defaultAudience={defaultAudience} question={question} />
    </>
  );
}
