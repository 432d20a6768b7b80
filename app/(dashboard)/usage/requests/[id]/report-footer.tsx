import type { Receipt } from "@/lib/usage/receipt.ts";
import { ReportButton } from "./report-button.tsx";

/** The last line of an answer's card: reports the answer, while no report is open. */
export function ReportFooter({ receipt: { id, queryText, answer, reports } }: { receipt: Receipt }) {
  const isReported = reports.some(({ resolvedAt }) => resolvedAt === null);
  if (answer === null || queryText === null || isReported) return null;
  return <ReportButton question={queryText} answer={answer} requestId={id} />;
}
