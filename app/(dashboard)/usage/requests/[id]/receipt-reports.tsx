import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import type { Receipt } from "@/lib/usage/receipt.ts";
import { ReportHistory } from "../../reports/report-history.tsx";
import { ResolveButton } from "../../reports/resolve-button.tsx";
import { ReportButton } from "./report-button.tsx";

interface ReceiptReportsProps {
  receipt: Receipt;
  canReport?: boolean;
}

/** The reports of the answer, with their history, and the form of a new one while none is open. */
export function ReceiptReports({ receipt, canReport = true }: ReceiptReportsProps) {
  const { id, queryText, answer, reports } = receipt;
  const isOpen = reports.some(({ resolvedAt }) => resolvedAt === null);
  const isReportable = canReport && answer !== null && queryText !== null && !isOpen;
  if (reports.length === 0) {
    return isReportable && <ReportButton question={queryText} answer={answer} requestId={id} />;
  }
  return (
    <Card>
      <CardHeader title="Reported as wrong" />
      <CardBody className="grid gap-4 pt-3">
        <ul className="grid gap-4">
          {reports.map(({ id: reportId, note, resolvedAt, ...report }) => (
            <li key={reportId} className="flex flex-wrap items-start justify-between gap-3">
              <div className="grid min-w-0 gap-1 text-muted text-sm">
                {note && <p className="wrap-anywhere whitespace-pre-line text-base text-foreground">{note}</p>}
                <ReportHistory {...report} />
              </div>
              <ResolveButton id={reportId} isResolved={resolvedAt !== null} />
            </li>
          ))}
        </ul>
        {isReportable && <ReportButton question={queryText} answer={answer} requestId={id} />}
      </CardBody>
    </Card>
  );
}
