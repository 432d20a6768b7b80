import Link from "next/link";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardSplit } from "@/components/ui/card.tsx";
import { closenessWords } from "@/components/verified-words.ts";
import type { VerifiedCloseness } from "@/lib/test-questions/verified-closeness.ts";

/** From which closeness a question gets a verified answer, and who chose it. */
export function VerifiedCard({ closeness }: { closeness: VerifiedCloseness }) {
  return (
    <Card>
      <CardSplit
        title="Verified answers"
        description="A question that asks the same as a verified answer gets it word for word, without a language model."
      >
        <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-border bg-border">
          <div className="grid gap-0.5 bg-surface px-4 py-3">
            <dt className="text-muted text-sm">Minimum closeness</dt>
            <dd className="tabular font-semibold text-lg">{closeness.needed.toFixed(2)}</dd>
          </div>
          <div className="grid gap-0.5 bg-surface px-4 py-3">
            <dt className="text-muted text-sm">Based on</dt>
            <dd className="font-semibold text-lg">{closeness.isOwn ? "Your test questions" : "Ragstone's default"}</dd>
          </div>
        </dl>
        <p className="text-muted text-sm">{closenessWords(closeness)}</p>
        <div>
          <Button size="sm" variant="secondary" asChild>
            <Link href="/knowledge?type=qa&verification=verified">Show verified answers</Link>
          </Button>
        </div>
      </CardSplit>
    </Card>
  );
}
