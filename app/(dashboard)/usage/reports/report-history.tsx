import { RelativeTime } from "@/components/relative-time.tsx";
import type { ReportEvent } from "@/lib/db/stored-json.ts";

const WORDS = { resolved: "Resolved", reopened: "Reopened" };

interface ReportHistoryProps {
  memberName: string | null;
  createdAt: Date;
  history: ReportEvent[];
}

/** Who reported, resolved and reopened a report, and when. */
export function ReportHistory({ memberName, createdAt, history }: ReportHistoryProps) {
  return (
    <ol aria-label="History" className="grid gap-0.5">
      <li>
        Reported by {memberName ?? "a former member"}, <RelativeTime date={createdAt} />
      </li>
      {history.map(({ did, at, by }) => (
        <li key={at}>
          {WORDS[did]} by {by}, <RelativeTime date={new Date(at)} />
        </li>
      ))}
    </ol>
  );
}
