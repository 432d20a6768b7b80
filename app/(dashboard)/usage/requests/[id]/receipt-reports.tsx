import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import type { Receipt } from "@/lib/usage/receipt.ts";
import { ReportHistory } from "../../reports/report-history.tsx";
import { ResolveButton } from "../../reports/resolve-button.tsx";

/** The reports of the answer, with their history. */
export function ReceiptReports({ receipt: { reports } }: { receipt: Receipt }) {
  if (reports.length === 0) return null;
  return (
    <Card>
      <CardHeader title="Reported as wrong" />
      <CardBody className="pt-3">
        <ul className="grid gap-4">
          {reports.map(({ id, note, resolvedAt, ...report }) => (
            <li key={id} className="flex flex-wrap items-start justify-between gap-3">
              <div className="grid min-w-0 gap-1 text-muted text-sm">
                {note && <p className="wrap-anywhere whitespace-pre-line text-base text-foreground">{note}</p>}
                <ReportHistory {...report} />
              </div>
              <ResolveButton id={id} isResolved={resolvedAt !== null} />
            </li>
          ))}
        </ul>
      </CardBody>
    </Card>
  );
}
