import Link from "next/link";
import type { AuditEventRow } from "@/lib/audit/browse.ts";
import type { AuditTarget } from "@/lib/audit/record.ts";

/** The page of each type of target; null: it has none. */
const PAGES: Record<AuditTarget, ((id: string) => string) | null> = {
  api_key: (id) => `/settings/api-keys/${id}`,
  company: () => "/settings/company",
  gap: () => "/usage/unanswered",
  invitation: null,
  request: (id) => `/usage/requests/${id}`,
  source: (id) => `/knowledge/${id}`,
  sources: null,
  subscription: () => "/settings/subscription",
  suggestion: () => "/knowledge/suggestions",
  test_question: () => "/test-questions",
  user: null,
};

/** Targets that are shown by their id when their question is gone. */
const UNNAMED = new Map([
  ["gap", "Question"],
  ["request", "Request"],
  ["suggestion", "Suggestion"],
]);

const PAGE_BY_TYPE = new Map(Object.entries(PAGES));

/** The name of an event's target, with a link to its page. A target of another release has no link. */
export function Target({ event: { targetType, targetId, targetName } }: { event: AuditEventRow }) {
  const page = PAGE_BY_TYPE.get(targetType)?.(targetId);
  const unnamed = targetName === targetId ? UNNAMED.get(targetType) : undefined;
  const name = unnamed ? `${unnamed} ${targetId.slice(0, 8)}` : targetName;
  if (!page) return <span title={targetName}>{name}</span>;
  return (
    <Link href={page} title={targetName} className="underline-offset-4 hover:underline">
      {name}
    </Link>
  );
}
