import MessageSquareWarning from "lucide-react/icons/message-square-warning";
import type { Metadata } from "next";
import Link from "next/link";
import type { SearchParams } from "nuqs/server";
import { EmptyState } from "@/components/empty-state.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { Pagination } from "@/components/pagination.tsx";
import { playgroundLink } from "@/components/playground-link.ts";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardFooter } from "@/components/ui/card.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { countWaiting } from "@/lib/usage/count-waiting.ts";
import { type AnswerReport, listReports, REPORTS_PER_PAGE } from "@/lib/usage/report.ts";
import { AskAgain } from "../requests/[id]/ask-again.tsx";
import { UsageTabs } from "../usage-tabs.tsx";
import { ReportHistory } from "./report-history.tsx";
import { ResolveButton } from "./resolve-button.tsx";
import { loadReportParams, reportQueryString } from "./search-params.ts";

export const metadata: Metadata = { title: "Reported answers" };

export default async function ReportsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { scope, actor } = await requireMember();
  const params = await loadReportParams(searchParams);
  const { resolved } = params;
  const [{ total, page, reports }, waiting] = await Promise.all([
    listReports(scope, actor, params),
    countWaiting(scope, actor),
  ]);
  return (
    <>
      <PageHeader
        title="Reported answers"
        description="Answers that members reported as wrong. Fix the source, ask again, then resolve the report."
        actions={
          <Button variant="secondary" asChild>
            <Link href={resolved ? "/usage/reports" : "/usage/reports?resolved=true"}>
              {resolved ? "Open reports" : "Resolved reports"}
            </Link>
          </Button>
        }
      />
      <UsageTabs here="reports" filter={{ days: 30, sender: null }} waiting={waiting} />
      {reports.length === 0 && (
        <EmptyState icon={MessageSquareWarning} title={resolved ? "No resolved reports" : "No open reports"}>
          {resolved ? (
            "Resolved reports are kept as long as requests, and can be reopened."
          ) : (
            <>
              If an answer is wrong, <em>Report as wrong</em> in the playground or on its request adds it to this page,
              with a note.
            </>
          )}
        </EmptyState>
      )}
      <ul className="grid gap-4">
        {reports.map((report) => (
          <Report key={report.id} report={report} />
        ))}
      </ul>
      <Pagination
        page={page}
        pageSize={REPORTS_PER_PAGE}
        total={total}
        href={(page) => `/usage/reports${reportQueryString({ ...params, page })}`}
      />
    </>
  );
}

function Report({ report }: { report: AnswerReport }) {
  const { id, requestId, question, answer, note, resolvedAt, isLogged, hasQuestion, canAskAgain } = report;
  // a logged run fills in its settings too
  const playground = hasQuestion ? `/playground?run=${requestId}` : playgroundLink(question);
  return (
    <li>
      <Card>
        <CardBody className="grid gap-3">
          <h2 className="font-semibold text-base">{question}</h2>
          {note && <p className="whitespace-pre-line border-warning border-l-2 pl-3">{note}</p>}
          <p className="line-clamp-4 whitespace-pre-line text-muted">{answer}</p>
        </CardBody>
        <CardFooter className="flex-wrap">
          <ReportHistory {...report} />
          <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {isLogged && (
              <Link
                href={`/usage/requests/${requestId}`}
                className="text-accent underline-offset-4 hover:underline max-sm:py-2"
              >
                Open request
              </Link>
            )}
            {canAskAgain ? (
              <AskAgain id={requestId} size="sm" />
            ) : (
              <Button variant="secondary" size="sm" asChild>
                <Link href={playground}>Open in playground</Link>
              </Button>
            )}
            <ResolveButton id={id} isResolved={resolvedAt !== null} leavesPage />
          </span>
        </CardFooter>
      </Card>
    </li>
  );
}
