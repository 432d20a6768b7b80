import MessageSquareWarning from "lucide-react/icons/message-square-warning";
import type { Metadata } from "next";
import Link from "next/link";
import { EmptyState } from "@/components/empty-state.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { RelativeTime } from "@/components/relative-time.tsx";
import { Card, CardBody, CardFooter } from "@/components/ui/card.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { type AnswerReport, listReports } from "@/lib/usage/report.ts";
import { UsageTabs } from "../usage-tabs.tsx";
import { ResolveButton } from "./resolve-button.tsx";

export const metadata: Metadata = { title: "Reported answers" };

export default async function ReportsPage() {
  const { scope, actor } = await requireMember();
  const { total, reports } = await listReports(scope, actor);
  return (
    <>
      <PageHeader
        title="Reported answers"
        description="Answers that members reported as wrong in the playground. Correct the knowledge, ask again, then resolve the report."
      />
      <UsageTabs here="reports" filter={{ days: 30, source: null }} reports={total} />
      {reports.length === 0 && (
        <EmptyState icon={MessageSquareWarning} title="No reported answers">
          If an answer in the playground is wrong, <em>Report as wrong</em> adds it to this page, with a note.
        </EmptyState>
      )}
      <ul className="grid gap-4">
        {reports.map((report) => (
          <Report key={report.id} report={report} />
        ))}
      </ul>
      {total > reports.length && (
        <p className="text-muted text-sm">
          The newest {reports.length} of {total}.
        </p>
      )}
    </>
  );
}

function Report({ report }: { report: AnswerReport }) {
  const { id, requestId, question, answer, note, createdAt, memberName } = report;
  return (
    <li>
      <Card>
        <CardBody className="grid gap-3">
          <h2 className="font-semibold text-base">{question}</h2>
          {note && <p className="whitespace-pre-line border-warning border-l-2 pl-3">{note}</p>}
          <p className="line-clamp-4 whitespace-pre-line text-muted">{answer}</p>
        </CardBody>
        <CardFooter className="flex-wrap">
          <span>
            {memberName ?? "A former member"}, <RelativeTime date={createdAt} />
          </span>
          <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Link
              href={`/usage/requests/${requestId}`}
              className="text-accent underline-offset-4 hover:underline max-sm:py-2"
            >
              How this result was found
            </Link>
            <Link
              href={`/playground?run=${requestId}`}
              className="text-accent underline-offset-4 hover:underline max-sm:py-2"
            >
              Ask again
            </Link>
            <ResolveButton id={id} />
          </span>
        </CardFooter>
      </Card>
    </li>
  );
}
