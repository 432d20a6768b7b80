import Download from "lucide-react/icons/download";
import FlaskConical from "lucide-react/icons/flask-conical";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { EmptyState } from "@/components/empty-state.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { Pagination } from "@/components/pagination.tsx";
import { TimeChart } from "@/components/time-chart.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { COMPANY_PARAM } from "@/lib/auth/page-company.ts";
import { requireMember } from "@/lib/auth/session.ts";
import { changesBeforeFailures } from "@/lib/test-questions/changes.ts";
import { testRunHistory } from "@/lib/test-questions/runs.ts";
import { TEST_QUESTIONS_PER_PAGE } from "@/lib/test-questions/schema.ts";
import { listTestQuestions } from "@/lib/test-questions/service.ts";
import { AddQuestion } from "./add-question.tsx";
import { ImportButton } from "./import-button.tsx";
import { keyOptions } from "./key-options.ts";
import { QuestionDialogs } from "./question-dialogs.tsx";
import { QuestionTable } from "./question-table.tsx";
import { RunButton } from "./run-button.tsx";
import { RunFigures } from "./run-figures.tsx";
import { loadTestParams, testQueryString } from "./search-params.ts";
import { TestFilters } from "./test-filters.tsx";

export const metadata: Metadata = { title: "Test questions" };

export default async function TestQuestionsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { scope, actor } = await requireMember();
  const params = await loadTestParams(searchParams);
  const [list, history, keys] = await Promise.all([
    listTestQuestions(scope, actor, { state: params.state, search: params.q.slice(0, 200) }, params.page),
    testRunHistory(scope, actor),
    keyOptions(scope, actor),
  ]);
  const changes = await changesBeforeFailures(scope, actor, list.rows);
  const hasQuestions = Object.values(list.counts).some((number) => number > 0);
  return (
    <>
      <PageHeader
        title="Test questions"
        description="Questions whose results you know. They run after every change to the knowledge or the settings, and show what the change broke."
        actions={
          <>
            <ImportButton />
            {hasQuestions && (
              <Button variant="secondary" asChild>
                <a href={`/test-questions/csv?${COMPANY_PARAM}=${scope.companyId}`} download>
                  <Download aria-hidden />
                  CSV
                </a>
              </Button>
            )}
            {hasQuestions && <RunButton current={history.current} />}
            <AddQuestion keys={keys} />
          </>
        }
      />
      <QuestionDialogs keys={keys}>
        {hasQuestions ? (
          <>
            <RunFigures counts={list.counts} last={history.last} />
            {history.days.some(({ rate }) => rate !== null) && (
              <Card className="overflow-visible">
                <CardHeader
                  title="Pass rate"
                  description="Share of questions that passed in the last run of each day."
                />
                <CardBody>
                  <TimeChart
                    label="Pass rate by day"
                    kind="lines"
                    unit="%"
                    times={history.days.map(({ day }) => day)}
                    series={[
                      {
                        label: "Passed",
                        color: 1,
                        values: history.days.map(({ rate }) => rate && Math.round(rate * 100)),
                      },
                    ]}
                  />
                </CardBody>
              </Card>
            )}
            <TestFilters total={list.total} />
            <QuestionTable
              questions={list.rows}
              changes={changes}
              keys={keys}
              names={list.names}
              requests={list.requests}
            />
            <Pagination
              page={list.page}
              pageSize={TEST_QUESTIONS_PER_PAGE}
              total={list.total}
              href={(page) => `/test-questions${testQueryString({ ...params, page })}`}
            />
          </>
        ) : (
          <EmptyState icon={FlaskConical} title="No test questions">
            Add one here, import a CSV file, or open a request and add its question. Each says which source must be
            found, what the answer must state, or that it must be refused.
          </EmptyState>
        )}
      </QuestionDialogs>
    </>
  );
}
