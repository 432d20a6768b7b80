import Plus from "lucide-react/icons/plus";
import type { Metadata } from "next";
import Link from "next/link";
import type { SearchParams } from "nuqs/server";
import { RememberQuery } from "@/components/list-query.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { Pagination } from "@/components/pagination.tsx";
import { Button } from "@/components/ui/button.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { browseSources } from "@/lib/knowledge/browse/browse.ts";
import { browseQuery, sourceFilter } from "@/lib/knowledge/browse/browse-query.ts";
import { lastRelabel } from "@/lib/knowledge/intake/last-relabel.ts";
import { SOURCES_PER_PAGE } from "@/lib/knowledge/values.ts";
import { countWaiting } from "@/lib/usage/count-waiting.ts";
import { dismissedUndo } from "../dismissed-undo.ts";
import { WhileProcessing } from "../while-processing.tsx";
import { EmptyKnowledge } from "./empty-knowledge.tsx";
import { KnowledgeMenu } from "./knowledge-menu.tsx";
import { LastRelabelNotice } from "./last-relabel-notice.tsx";
import { listQueryString, loadListParams } from "./search-params.ts";
import { SourceFilters } from "./source-filters.tsx";
import { SourceTable } from "./source-table.tsx";

export const metadata: Metadata = { title: "Knowledge" };

export default async function KnowledgePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { scope, actor, role } = await requireMember();
  const params = await loadListParams(searchParams);
  const { q, desc, page, ...filters } = params;
  const query = browseQuery.parse({ ...filters, search: q.slice(0, 200), descending: desc, page });
  const filter = sourceFilter.parse(query);
  const canEdit = role === "admin";
  const [found, { suggestions }, relabel] = await Promise.all([
    browseSources(scope, actor, query),
    countWaiting(scope, actor),
    canEdit ? lastRelabel(scope, actor) : null,
  ]);
  const { known, processing, failed } = found.counts;
  const isEmpty = known === 0 && found.facets.statuses.length === 0 && q === "";
  return (
    <>
      <RememberQuery list="/knowledge" />
      <PageHeader
        title="Knowledge"
        description="The documents, questions and answers that your systems can find."
        actions={!isEmpty && <Actions canEdit={canEdit} suggestions={suggestions} />}
      />
      {isEmpty ? (
        <EmptyKnowledge canEdit={canEdit} />
      ) : (
        <>
          <SourceFilters facets={found.facets} total={found.total} />
          {relabel && relabel.id !== (await dismissedUndo()) && <LastRelabelNotice relabel={relabel} />}
          <WhileProcessing processing={processing} failed={failed} />
          <SourceTable
            key={JSON.stringify(filter)}
            rows={found.rows}
            filter={filter}
            total={found.total}
            canEdit={canEdit}
          />
          <Pagination
            page={found.page}
            pageSize={SOURCES_PER_PAGE}
            total={found.total}
            href={(to) => `/knowledge${listQueryString({ ...params, page: to })}`}
          />
        </>
      )}
    </>
  );
}

function Actions({ canEdit, suggestions }: { canEdit: boolean; suggestions: number }) {
  return (
    <>
      <Button variant="secondary" asChild>
        <Link href="/knowledge/suggestions">
          Suggestions
          {suggestions > 0 && (
            <span className="tabular rounded-full bg-warning-soft px-1.5 py-px text-warning text-xs">
              {suggestions}
            </span>
          )}
        </Link>
      </Button>
      {canEdit && <EditActions />}
    </>
  );
}

function EditActions() {
  return (
    <>
      <KnowledgeMenu />
      <Button asChild>
        <Link href="/knowledge/add">
          <Plus aria-hidden />
          Add knowledge
        </Link>
      </Button>
    </>
  );
}
