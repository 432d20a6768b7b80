import ChartNoAxesColumn from "lucide-react/icons/chart-no-axes-column";
import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import type { SearchParams } from "nuqs/server";
import { EmptyState } from "@/components/empty-state.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { StatRow } from "@/components/stat-row.tsx";
import { Button } from "@/components/ui/button.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { getCompany } from "@/lib/companies/service.ts";
import { counted } from "@/lib/counted.ts";
import { countWaiting } from "@/lib/usage/count-waiting.ts";
import { firstSteps } from "@/lib/usage/first-steps.ts";
import { knowledgeCallsOf } from "@/lib/usage/knowledge-calls.ts";
import type { UsageFilter } from "@/lib/usage/log-filter.ts";
import { noQuestionsWords, noRequestsWords, noUnansweredWords } from "@/lib/usage/no-questions-words.ts";
import { usageOf } from "@/lib/usage/usage-of.ts";
import { DayTable } from "../day-table.tsx";
import { keyChoices } from "../key-choices.ts";
import { KeyTable } from "../key-table.tsx";
import { KnowledgeCallTable } from "../knowledge-call-table.tsx";
import { QuestionList } from "../question-list.tsx";
import { loadUsageParams, logQueryString } from "../search-params.ts";
import { UsageCharts } from "../usage-charts.tsx";
import { UsageFilters } from "../usage-filters.tsx";
import { usageStats } from "../usage-stats.ts";
import { UsageTabs } from "../usage-tabs.tsx";

export const metadata: Metadata = { title: "Usage" };

export default async function UsagePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { scope, actor } = await requireMember();
  const { request, ...filter } = await loadUsageParams(searchParams);
  if (request) redirect(`/usage/requests/${encodeURIComponent(request)}`);
  const [usage, knowledgeCalls, keys, waiting, company] = await Promise.all([
    usageOf(scope, actor, filter),
    knowledgeCallsOf(scope, actor, filter),
    keyChoices(scope, actor),
    countWaiting(scope, actor),
    getCompany(scope, actor),
  ]);
  const { queryRetentionDays } = company;
  const isUnused = usage.requests === 0 && !(await firstSteps(scope, actor)).asked;
  return (
    <>
      <PageHeader
        title="Usage"
        description="Questions asked through the API and in the playground, and how they were answered."
      />
      <UsageTabs here="figures" filter={filter} waiting={waiting} />
      <UsageFilters keys={keys} />
      {filter.days > queryRetentionDays && (
        <p className="text-muted text-sm">
          Requests are kept for {counted(queryRetentionDays, "day")}. Older days have only totals for all keys together.
        </p>
      )}
      {usage.requests === 0 ? (
        <NoRequests isUnused={isUnused} filter={filter} />
      ) : (
        <>
          <StatRow stats={usageStats(usage, filter)} />
          <UsageCharts usage={usage} />
          <DayTable days={usage.days} />
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <QuestionList title="Top questions" questions={usage.topQuestions} empty={noQuestionsWords(company)} />
            <QuestionList
              title="Unanswered questions"
              description="These questions returned nothing, or the results did not answer them. Add what is missing, then ask again."
              questions={usage.unansweredQuestions}
              empty={noUnansweredWords(usage, company)}
              more={
                usage.unanswered > 0 ? `/usage/requests${logQueryString({ ...filter, outcome: "unanswered" })}` : null
              }
            />
          </div>
          {filter.sender === null && <KeyTable senders={usage.senders} days={filter.days} />}
        </>
      )}
      {knowledgeCalls.length > 0 && <KnowledgeCallTable calls={knowledgeCalls} />}
    </>
  );
}

function NoRequests({ isUnused, filter }: { isUnused: boolean; filter: UsageFilter }) {
  return (
    <EmptyState
      icon={ChartNoAxesColumn}
      title={isUnused ? "No requests yet" : `No requests in the last ${counted(filter.days, "day")}`}
      actions={
        <Button variant="secondary" asChild>
          <Link href="/playground">Open the playground</Link>
        </Button>
      }
    >
      {isUnused
        ? "Ask a question in the playground, or call the API with a key. Requests, response times and unanswered questions appear here."
        : noRequestsWords(filter)}
    </EmptyState>
  );
}
