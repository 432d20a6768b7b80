import BadgeCheck from "lucide-react/icons/badge-check";
import Link from "next/link";
import { splitCitations } from "@/components/split-text.ts";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { verifiedWords } from "@/components/verified-words.ts";
import { citedNumbers } from "@/lib/ai/find-citations.ts";
import type { Receipt } from "@/lib/usage/receipt.ts";
import { resultAnchor } from "./receipt-results.tsx";
import { ReportFooter } from "./report-footer.tsx";

interface ReceiptAnswerProps {
  receipt: Receipt;
  /** Whether the request asked for an answer. */
  isWanted: boolean;
  /** Whether the company keeps answers now. */
  keepsAnswers: boolean;
  /** Whether the member may verify the answer. */
  canVerify: boolean;
}

/** The answer as it was given. Its citations lead to the results below. */
export function ReceiptAnswer({ receipt, isWanted, keepsAnswers, canVerify }: ReceiptAnswerProps) {
  const { answer, results, trace } = receipt;
  const verified = trace?.verified?.returned ? trace.verified : null;
  const [cited] = citedNumbers(answer ?? "");
  const source = cited === undefined ? null : results[cited - 1]?.source;
  return (
    <Card>
      <CardHeader
        title="Answer"
        actions={
          canVerify &&
          !verified &&
          source?.type === "qa" && (
            <Link href={`/knowledge/${source.id}?verify=true`} className="text-accent underline underline-offset-4">
              Verify answer
            </Link>
          )
        }
      />
      <CardBody className="grid gap-3 pt-3">
        {verified && (
          <p className="flex items-center gap-1.5 text-success">
            <BadgeCheck aria-hidden className="size-4 shrink-0" />
            {verifiedWords(verified)}
          </p>
        )}
        {answer === null ? (
          <p className="text-muted">{missingWords(isWanted, keepsAnswers)}</p>
        ) : (
          <p className="wrap-anywhere whitespace-pre-line leading-relaxed">
            {splitCitations(answer).map(({ at, text, matched }) => {
              const rank = Number(text.slice(1, -1));
              return matched && results[rank - 1] ? <Citation key={at} rank={rank} /> : text;
            })}
          </p>
        )}
      </CardBody>
      <ReportFooter receipt={receipt} />
    </Card>
  );
}

/** Why there is no answer to show. */
export function missingWords(isWanted: boolean, keepsAnswers: boolean): string {
  if (!isWanted) return "The request asked for chunks only.";
  return keepsAnswers
    ? "The answer was not kept. Ask again to see an answer."
    : "This company does not keep answers. An admin can change that in the company's settings.";
}

function Citation({ rank }: { rank: number }) {
  return (
    <a
      href={`#${resultAnchor(rank)}`}
      aria-label={`Show result ${rank}`}
      className="tabular mr-0.5 inline-grid h-4.5 min-w-4.5 place-items-center rounded-xs bg-accent-soft px-1 align-[0.1em] font-medium text-accent text-xs transition-colors hover:bg-accent hover:text-accent-foreground"
    >
      {rank}
    </a>
  );
}
