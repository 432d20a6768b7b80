import ArrowRight from "lucide-react/icons/arrow-right";
import ChartNoAxesColumn from "lucide-react/icons/chart-no-axes-column";
import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { SampleNotice } from "@/app/(dashboard)/shell/sample-notice.tsx";
import { EmptyState } from "@/components/empty-state.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { StatRow } from "@/components/stat-row.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { getCompany, mayCreateCompany } from "@/lib/companies/service.ts";
import { counted } from "@/lib/counted.ts";
import { countWaiting, type Waiting } from "@/lib/usage/count-waiting.ts";
import { firstSteps } from "@/lib/usage/first-steps.ts";
import { noQuestionsWords, noUnansweredWords } from "@/lib/usage/no-questions-words.ts";
import { type Usage, usageOf } from "@/lib/usage/usage-of.ts";
import { QuestionList } from "../usage/question-list.tsx";
import { logQueryString, usageQueryString } from "../usage/search-params.ts";
import { RequestChart } from "../usage/usage-charts.tsx";
import { usageStats } from "../usage/usage-stats.ts";
import { FirstSteps } from "./first-steps.tsx";

export const metadata: Metadata = { title: "Overview" };

const FILTER = { days: 30, sender: null } as const;
const SHOWN = 5;

export default async function OverviewPage() {
  const { company, role, scope, actor } = await requireMember();
  const [done, usage, waiting, settings] = await Promise.all([
    firstSteps(scope, actor),
    usageOf(scope, actor, FILTER),
    countWaiting(scope, actor),
    getCompany(scope, actor),
  ]);
  const hasSteps = Object.values(done).includes(false);
  return (
    <>
      <PageHeader title="Overview" description={`${company.name}, the last ${FILTER.days} days.`} />
      {company.isSample && <SampleNotice canCreate={mayCreateCompany(actor)} />}
      <WaitingList waiting={waiting} />
      {hasSteps && <FirstSteps done={done} isAdmin={role === "admin"} />}
      {usage.requests > 0 && <Figures usage={usage} settings={settings} />}
      {usage.requests === 0 && !hasSteps && <NoRequests isAdmin={role === "admin"} />}
    </>
  );
}

function Figures({ usage, settings }: { usage: Usage; settings: { hashQueries: boolean } }) {
  return (
    <>
      <StatRow stats={usageStats(usage, FILTER)} />
      <Card className="overflow-visible">
        <CardHeader title="Requests" actions={<More href={`/usage${usageQueryString(FILTER)}`}>All figures</More>} />
        <CardBody>
          <RequestChart usage={usage} />
        </CardBody>
      </Card>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <QuestionList
          title="Top questions"
          questions={usage.topQuestions.slice(0, SHOWN)}
          empty={noQuestionsWords(settings)}
        />
        <QuestionList
          title="Unanswered questions"
          questions={usage.unansweredQuestions.slice(0, SHOWN)}
          empty={noUnansweredWords(usage, settings)}
          more={usage.unanswered > 0 ? `/usage/requests${logQueryString({ ...FILTER, outcome: "unanswered" })}` : null}
        />
      </div>
    </>
  );
}

/** Instead of the figures of a company that has taken the first steps. */
function NoRequests({ isAdmin }: { isAdmin: boolean }) {
  return (
    <EmptyState
      icon={ChartNoAxesColumn}
      title={`No requests in the last ${counted(FILTER.days, "day")}`}
      actions={
        <>
          <Button variant="secondary" asChild>
            <Link href={`/usage${usageQueryString({ ...FILTER, days: 90 })}`}>Open usage</Link>
          </Button>
          {isAdmin && (
            <Button variant="secondary" asChild>
              <Link href="/settings/connect">Connect a system</Link>
            </Button>
          )}
        </>
      }
    >
      Figures appear here when a system calls the API or someone asks in the playground. Usage shows the last 90 days.
    </EmptyState>
  );
}

function WaitingList({ waiting: { reports, unanswered, suggestions, reviews } }: { waiting: Waiting }) {
  if (reports + unanswered + suggestions + reviews === 0) return null;
  return (
    <ul className="grid divide-y divide-border rounded-md bg-warning-soft text-warning">
      {reports > 0 && (
        <WaitingItem words={`${counted(reports, "answer")} reported as wrong.`}>
          <More href="/usage/reports">Open reports</More>
        </WaitingItem>
      )}
      {unanswered > 0 && (
        <WaitingItem words={`${counted(unanswered, "unanswered question")}.`}>
          <More href="/usage/unanswered">Open questions</More>
        </WaitingItem>
      )}
      {suggestions > 0 && (
        <WaitingItem words={`${counted(suggestions, "suggestion")} without a decision.`}>
          <More href="/knowledge/suggestions">Open suggestions</More>
        </WaitingItem>
      )}
      {reviews > 0 && (
        <WaitingItem words={`${counted(reviews, "verified answer")} due for review.`}>
          <More href="/knowledge?verification=due">Open answers</More>
        </WaitingItem>
      )}
    </ul>
  );
}

function WaitingItem({ words, children }: { words: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      {words}
      {children}
    </li>
  );
}

function More({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="inline-flex items-center gap-1 text-accent text-sm underline-offset-4 hover:underline">
      {children}
      <ArrowRight aria-hidden className="size-3.5" />
    </Link>
  );
}
