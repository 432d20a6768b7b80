import Lightbulb from "lucide-react/icons/lightbulb";
import Plus from "lucide-react/icons/plus";
import type { Metadata } from "next";
import Link from "next/link";
import type { SearchParams } from "nuqs/server";
import { BackLink } from "@/components/back-link.tsx";
import { EmptyState } from "@/components/empty-state.tsx";
import { RememberQuery } from "@/components/list-query.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { Pagination } from "@/components/pagination.tsx";
import { Button } from "@/components/ui/button.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { compareSuggestions } from "@/lib/knowledge/suggestions/compare.ts";
import { listSuggestions, SUGGESTIONS_PER_PAGE } from "@/lib/knowledge/suggestions/list.ts";
import { loadSuggestionsParams, suggestionsQueryString } from "./search-params.ts";
import { SuggestionCard } from "./suggestion-card.tsx";

export const metadata: Metadata = { title: "Suggestions" };

export default async function SuggestionsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { scope, actor, role } = await requireMember();
  const params = await loadSuggestionsParams(searchParams);
  const { decided } = params;
  const { total, page, rows } = await listSuggestions(scope, actor, params);
  return (
    <>
      <RememberQuery list="/knowledge/suggestions" />
      <div className="grid gap-2">
        <BackLink href="/knowledge">Knowledge</BackLink>
        <PageHeader
          title="Suggestions"
          description="Changes and answers that members suggest. A suggestion becomes searchable once an admin accepts it."
          actions={
            <>
              <Button variant="secondary" asChild>
                <Link href={decided ? "/knowledge/suggestions" : "/knowledge/suggestions?decided=true"}>
                  {decided ? "Open suggestions" : "Decided suggestions"}
                </Link>
              </Button>
              {role === "support" && (
                <Button asChild>
                  <Link href="/knowledge/suggestions/new">
                    <Plus aria-hidden />
                    Suggest an answer
                  </Link>
                </Button>
              )}
            </>
          }
        />
      </div>
      {rows.length === 0 && (
        <EmptyState icon={Lightbulb} title={decided ? "No decided suggestions" : "No open suggestions"}>
          {decided
            ? "Accepted and declined suggestions are kept as long as requests."
            : "Support staff can suggest a change on the page of a text or Q&A, and an answer to an unanswered question."}
        </EmptyState>
      )}
      <ul className="grid gap-4">
        {compareSuggestions(rows).map(({ suggestion, parts }) => (
          <li key={suggestion.id}>
            <SuggestionCard
              suggestion={suggestion}
              parts={parts}
              canDecide={role === "admin"}
              isOwn={suggestion.userId === actor.id}
            />
          </li>
        ))}
      </ul>
      <Pagination
        page={page}
        pageSize={SUGGESTIONS_PER_PAGE}
        total={total}
        href={(page) => `/knowledge/suggestions${suggestionsQueryString({ ...params, page })}`}
      />
    </>
  );
}
