import Link from "next/link";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { TextDiff } from "@/components/text-diff.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { type DiffPart, diffTexts } from "@/lib/knowledge/text-diff.ts";
import type { Receipt } from "@/lib/usage/receipt.ts";
import { OutcomeBadge } from "../../../outcome-badge.tsx";
import { missingWords } from "../../receipt-answer.tsx";
import { ReportFooter } from "../../report-footer.tsx";

interface ComparedAnswersProps {
  before: Receipt;
  after: Receipt;
  /** Whether the requests asked for an answer. */
  isWanted: boolean;
  /** Whether the company keeps answers now. */
  keepsAnswers: boolean;
}

/** Both answers, with the words that only one of them has marked. */
export function ComparedAnswers({ before, after, isWanted, keepsAnswers }: ComparedAnswersProps) {
  const parts = before.answer !== null && after.answer !== null ? diffTexts(before.answer, after.answer) : null;
  const missing = missingWords(isWanted, keepsAnswers);
  return (
    <div className="grid items-stretch gap-6 md:grid-cols-2">
      <Answer title="Before" receipt={before} parts={parts?.filter(({ kind }) => kind !== "added")} missing={missing} />
      <Answer
        title="Now"
        receipt={after}
        parts={parts?.filter(({ kind }) => kind !== "removed")}
        missing={missing}
        canReport
      />
    </div>
  );
}

interface AnswerProps {
  title: string;
  receipt: Receipt;
  /** The answer in parts; undefined if there is nothing to compare it with. */
  parts: DiffPart[] | undefined;
  missing: string;
  canReport?: boolean;
}

function Answer({ title, receipt, parts, missing, canReport = false }: AnswerProps) {
  const { id, at, answer } = receipt;
  return (
    <Card className="flex flex-col">
      <CardHeader
        title={title}
        description={<AbsoluteTime date={at} time />}
        actions={
          <>
            <OutcomeBadge request={receipt} />
            <Link href={`/usage/requests/${id}`} className="text-accent underline-offset-4 hover:underline">
              Open request
            </Link>
          </>
        }
      />
      <CardBody className="flex-1 pt-3">
        {answer === null ? (
          <p className="text-muted">{missing}</p>
        ) : (
          <TextDiff parts={parts ?? [{ at: 0, kind: "same", text: answer }]} />
        )}
      </CardBody>
      {canReport && <ReportFooter receipt={receipt} />}
    </Card>
  );
}
