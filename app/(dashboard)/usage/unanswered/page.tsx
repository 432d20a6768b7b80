import CircleCheck from "lucide-react/icons/circle-check";
import type { Metadata } from "next";
import Link from "next/link";
import type { SearchParams } from "nuqs/server";
import { EmptyState } from "@/components/empty-state.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { getCompany } from "@/lib/companies/service.ts";
import { countWaiting } from "@/lib/usage/count-waiting.ts";
import { listGaps } from "@/lib/usage/gaps/list.ts";
import { GAP_VIEWS, type GapView } from "@/lib/usage/gaps/views.ts";
import { UsageTabs } from "../usage-tabs.tsx";
import { GapCard } from "./gap-card.tsx";
import { loadGapParams } from "./search-params.ts";

export const metadata: Metadata = { title: "Unanswered questions" };

const VIEW_WORDS: Record<GapView, string> = {
  open: "Open",
  mine: "Assigned to me",
  snoozed: "Snoozed",
  dismissed: "Dismissed",
};

export default async function UnansweredPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { scope, actor, role } = await requireMember();
  const { view } = await loadGapParams(searchParams);
  const { total, gaps, members } = await listGaps(scope, actor, view);
  const [waiting, { hashQueries }] = await Promise.all([countWaiting(scope, actor), getCompany(scope, actor)]);
  return (
    <>
      <PageHeader
        title="Unanswered questions"
        description="Questions to the API that returned nothing or were not answered, and questions with a reported answer, grouped by meaning. A question leaves the list once it is answered."
      />
      <UsageTabs here="unanswered" filter={{ days: 30, sender: null }} waiting={waiting} />
      <nav aria-label="List" className="flex flex-wrap gap-2">
        {GAP_VIEWS.map((name) => (
          <Link
            key={name}
            href={name === "open" ? "/usage/unanswered" : `/usage/unanswered?view=${name}`}
            aria-current={name === view ? "page" : undefined}
            className="rounded-full border border-border px-3 py-1 text-muted text-sm hover:bg-hover aria-[current=page]:border-border-strong aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-foreground max-sm:py-2.5"
          >
            {VIEW_WORDS[name]}
          </Link>
        ))}
      </nav>
      {gaps.length === 0 && (
        <EmptyState icon={CircleCheck} title={view === "open" ? "No unanswered questions" : "No questions here"}>
          {hashQueries
            ? "This company stores hashes instead of questions, so there is no text to show."
            : emptyWords(view)}
        </EmptyState>
      )}
      <ul className="grid gap-4">
        {gaps.map((gap) => (
          <li key={gap.id}>
            <GapCard gap={gap} members={members} canEdit={role === "admin"} isMine={view === "mine"} />
          </li>
        ))}
      </ul>
      {total > gaps.length && (
        <p className="text-muted text-sm">
          The first {gaps.length} of {total} questions.
        </p>
      )}
    </>
  );
}

function emptyWords(view: GapView): string {
  switch (view) {
    case "mine":
      return "Questions assigned to you appear here.";
    case "snoozed":
      return "Snoozed questions reopen by themselves.";
    case "dismissed":
      return "Dismissed questions and their reasons are kept as long as requests.";
    default:
      return "Playground runs are not counted.";
  }
}
