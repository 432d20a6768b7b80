import Pencil from "lucide-react/icons/pencil";
import Link from "next/link";
import { Button } from "@/components/ui/button.tsx";
import { citedNumbers } from "@/lib/ai/citations.ts";
import type { Receipt } from "@/lib/usage/receipt.ts";

/** Leads to the source behind the answer or, where none was found, to the form that adds an answer. */
export function FixLink({ receipt: { answer, answered, queryText, results } }: { receipt: Receipt }) {
  const [cited = 1] = citedNumbers(answer ?? "");
  const source = answered === false ? null : results[cited - 1]?.source;
  const href = source
    ? `/knowledge/${source.id}?edit=true`
    : `/knowledge/add?${new URLSearchParams({ tab: "question", question: queryText ?? "" })}`;
  return (
    <Button asChild>
      <Link href={href}>
        <Pencil aria-hidden />
        {source ? "Fix answer" : "Write the answer"}
      </Link>
    </Button>
  );
}
