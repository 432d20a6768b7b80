import Pencil from "lucide-react/icons/pencil";
import Link from "next/link";
import { Button } from "@/components/ui/button.tsx";
import { citedNumbers } from "@/lib/ai/find-citations.ts";
import type { Receipt } from "@/lib/usage/receipt.ts";

interface FixLinkProps {
  receipt: Receipt;
  /** Whether the member saves knowledge, or suggests it to an admin. */
  canEdit: boolean;
}

/**
 * Leads to the source behind the answer or, where none was found or the member cannot change it, to the form that adds or
 * suggests an answer.
 */
export function FixLink({ receipt: { id, answer, answered, queryText, results }, canEdit }: FixLinkProps) {
  const [cited = 1] = citedNumbers(answer ?? "");
  const result = answered === false ? undefined : results[cited - 1];
  const isFixable = result?.state !== "deleted" && (canEdit || !result?.source?.isFile);
  const source = isFixable ? result?.source : null;
  const question = queryText ?? "";
  const added = canEdit
    ? `/knowledge/add?${new URLSearchParams({ tab: "question", question })}`
    : `/knowledge/suggestions/new?${new URLSearchParams({ question, request: id })}`;
  const fixed = { edit: "true", request: id, ...(source?.isFile && { question }) };
  const href = source ? `/knowledge/${source.id}?${new URLSearchParams(fixed)}` : added;
  const [fix, write] = canEdit ? ["Fix answer", "Write the answer"] : ["Suggest a fix", "Suggest an answer"];
  return (
    <Button asChild>
      <Link href={href}>
        <Pencil aria-hidden />
        {source ? fix : write}
      </Link>
    </Button>
  );
}
