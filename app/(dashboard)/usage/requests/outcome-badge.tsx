import { StatusBadge } from "@/components/status-badge.tsx";
import { counted } from "@/lib/counted.ts";
import type { LoggedRequest } from "@/lib/usage/log.ts";

/** The outcome of a request in a word or two. */
export function OutcomeBadge({ request }: { request: Pick<LoggedRequest, "statusCode" | "total" | "answered"> }) {
  const { statusCode, total, answered } = request;
  if (statusCode >= 400) return <StatusBadge tone="danger">{`Error ${statusCode}`}</StatusBadge>;
  if (answered) return <StatusBadge tone="success">Answered</StatusBadge>;
  if (total === 0) return <StatusBadge tone="warning">No results</StatusBadge>;
  if (answered === false) return <StatusBadge tone="warning">Not answered</StatusBadge>;
  return <StatusBadge tone="neutral">{counted(total, "chunk")}</StatusBadge>;
}
