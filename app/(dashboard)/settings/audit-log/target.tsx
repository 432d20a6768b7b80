import Link from "next/link";
import type { AuditEventRow } from "@/lib/audit/browse.ts";

/** The page of an event's target, by type of the target. */
const PAGES: Record<string, (id: string) => string> = {
  api_key: (id) => `/settings/api-keys/${id}`,
  company: () => "/settings/company",
  request: (id) => `/usage/requests/${id}`,
  source: (id) => `/knowledge/${id}`,
  subscription: () => "/settings/subscription",
};

export function Target({ event: { targetType, targetId, targetName } }: { event: AuditEventRow }) {
  const page = PAGES[targetType]?.(targetId);
  if (!page) return <span title={targetName}>{targetName}</span>;
  return (
    <Link href={page} title={targetName} className="underline-offset-4 hover:underline">
      {targetName}
    </Link>
  );
}
