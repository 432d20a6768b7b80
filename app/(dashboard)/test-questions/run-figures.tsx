import { RelativeTime } from "@/components/relative-time.tsx";
import { StatRow } from "@/components/stat-row.tsx";
import type { testRunHistory } from "@/lib/test-questions/runs.ts";
import type { ListedState } from "@/lib/test-questions/states.ts";

interface RunFiguresProps {
  counts: Record<ListedState, number>;
  last: Awaited<ReturnType<typeof testRunHistory>>["last"];
}

/** What passes and fails now, and the last run. */
export function RunFigures({ counts: { passed, failed, unknown, new: notRun }, last }: RunFiguresProps) {
  const judged = passed + failed;
  return (
    <>
      <StatRow
        stats={[
          {
            label: "Pass rate",
            value: judged === 0 ? "–" : `${Math.floor((100 * passed) / judged)}%`,
            note: `${passed} of ${judged} passed`,
          },
          { label: "Failing", value: String(failed), href: "/test-questions?state=failed" },
          {
            label: "Not run",
            value: String(notRun + unknown),
            note: unknown > 0 ? `${unknown} could not be asked` : "New or changed",
          },
          {
            label: "Last run",
            value: last ? `${last.passed} of ${last.passed + last.failed}` : "–",
            note: last?.finishedAt ? (
              <>
                <RelativeTime date={last.finishedAt} />, {last.startedBy ? `by ${last.startedBy}` : "after a change"}
              </>
            ) : (
              "No run yet"
            ),
          },
        ]}
      />
      {last?.error && (
        <p className="rounded-md bg-danger-soft px-4 py-3 text-danger">The last run failed: {last.error}</p>
      )}
    </>
  );
}
