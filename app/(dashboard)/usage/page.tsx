import ChartNoAxesColumn from "lucide-react/icons/chart-no-axes-column";
import type { Metadata } from "next";
import Link from "next/link";
import { z } from "zod";
import { DayChart } from "@/components/day-chart.tsx";
import { EmptyState } from "@/components/empty-state.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { StatRow } from "@/components/stat-row.tsx";
import { buttonStyle } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { Input } from "@/components/ui/input.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { listRequests, usageOf } from "@/lib/usage/statistics.ts";
import { QuestionList } from "./question-list.tsx";
import { RequestTable } from "./request-table.tsx";

export const metadata: Metadata = { title: "Usage" };

const RANGES = [7, 30] as const;
const search = z.object({
  days: z.coerce
    .number()
    .pipe(z.union([z.literal(7), z.literal(30)]))
    .catch(30),
  request: z.uuid().optional().catch(undefined),
});

export default async function UsagePage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const { scope } = await requireMember();
  const { days, request } = search.parse(await searchParams);
  const [usage, requests] = await Promise.all([usageOf(scope, days), listRequests(scope, request)]);
  return (
    <>
      <PageHeader
        title="Usage"
        description={`What was asked in the last ${days} days, through the API and in the playground.`}
        actions={RANGES.map((range) => (
          <Link
            key={range}
            href={`?days=${range}`}
            aria-current={range === days ? "page" : undefined}
            className={buttonStyle({ variant: range === days ? "secondary" : "ghost", size: "md" })}
          >
            {range} days
          </Link>
        ))}
      />
      {usage.requests === 0 ? (
        <EmptyState icon={ChartNoAxesColumn} title="No requests yet">
          Ask something in the playground, or call the API with a key: requests, times and questions without an answer
          show up here.
        </EmptyState>
      ) : (
        <>
          <StatRow
            stats={[
              { label: "Requests", value: usage.requests.toLocaleString("en") },
              { label: "Errors", value: usage.errors.toLocaleString("en") },
              { label: "Time p50 / p95", value: `${Math.round(usage.p50)} / ${Math.round(usage.p95)} ms` },
              { label: "Answered / unanswered", value: `${usage.answered} / ${usage.unanswered}` },
            ]}
          />
          <Card>
            <CardHeader title="Requests by day" description="Errors in red. Days are in UTC." />
            <CardBody>
              <DayChart days={usage.days} />
            </CardBody>
          </Card>
          <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
            <QuestionList title="Top questions" questions={usage.topQuestions} empty="Questions are kept as hashes." />
            <QuestionList
              title="Questions without an answer"
              questions={usage.unansweredQuestions}
              empty="Every question that asked for an answer got one."
            />
          </div>
        </>
      )}
      <Card>
        <CardHeader
          title="Requests"
          description="The newest 50. A customer who reports a problem sends the X-Request-Id of the answer."
          actions={
            <form className="flex gap-2">
              <input type="hidden" name="days" value={days} />
              <Input name="request" defaultValue={request} placeholder="Request id" aria-label="Request id" />
            </form>
          }
        />
        <CardBody>
          <RequestTable requests={requests} />
        </CardBody>
      </Card>
    </>
  );
}
