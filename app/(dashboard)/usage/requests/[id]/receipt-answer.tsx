import { splitText } from "@/components/split-text.ts";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import type { Receipt } from "@/lib/usage/receipt.ts";
import { resultAnchor } from "./receipt-results.tsx";

const CITATION = /\[\d+\]/g;

interface ReceiptAnswerProps {
  receipt: Receipt;
  /** Whether the request asked for an answer. */
  isWanted: boolean;
  /** Whether the company keeps answers now. */
  keepsAnswers: boolean;
}

/** The answer as it was given. Its citations lead to the results below. */
export function ReceiptAnswer({ receipt: { answer, results }, isWanted, keepsAnswers }: ReceiptAnswerProps) {
  return (
    <Card>
      <CardHeader title="Answer" />
      <CardBody className="pt-3">
        {answer === null ? (
          <p className="text-muted">{missingWords(isWanted, keepsAnswers)}</p>
        ) : (
          <p className="wrap-anywhere whitespace-pre-line leading-relaxed">
            {splitText(answer, CITATION).map(({ at, text, matched }) => {
              const rank = Number(text.slice(1, -1));
              return matched && results[rank - 1] ? <Citation key={at} rank={rank} /> : text;
            })}
          </p>
        )}
      </CardBody>
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
