import { cn } from "@/components/cn.ts";
import { RelativeTime } from "@/components/relative-time.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import { changeList } from "@/lib/retrieval-settings/setting-words.ts";
import type { StoredTrial } from "@/lib/test-questions/trials.ts";
import { verdictOf } from "./trial-words.ts";

/** The last trials, with what was tried and how the test questions did. */
export function TrialList({ trials }: { trials: StoredTrial[] }) {
  return (
    <section aria-labelledby="trials" className="grid gap-3">
      <h2 id="trials" className="font-semibold text-base">
        Last trials
      </h2>
      <Table>
        <caption className="sr-only">Trials of settings on the test questions, newest first</caption>
        <TableHead>
          <tr>
            <TableHeader>Tried</TableHeader>
            <TableHeader>Passed</TableHeader>
            <TableHeader className="max-md:hidden">When</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {trials.map((trial) => (
            <TrialRow key={trial.id} trial={trial} />
          ))}
        </TableBody>
      </Table>
    </section>
  );
}

function TrialRow({ trial: { at, by, saved, proposed, outcome } }: { trial: StoredTrial }) {
  const { asked, passed, winner } = outcome;
  return (
    <TableRow>
      <TableCell className="align-top">
        <div className="grid gap-0.5 py-1.5">
          {changeList(saved, proposed).map((change) => (
            <p key={change} className="wrap-anywhere">
              {change}
            </p>
          ))}
          <p className={cn("text-sm", winner === "proposed" ? "text-success" : "text-muted")}>{verdictOf(outcome)}</p>
          <p className="text-muted text-sm md:hidden">
            {by}, <RelativeTime date={at} />
          </p>
        </div>
      </TableCell>
      <TableCell className="tabular whitespace-nowrap align-top">
        <div className="py-1.5">
          {passed.now} → {passed.proposed} of {asked}
        </div>
      </TableCell>
      <TableCell className="whitespace-nowrap align-top text-muted max-md:hidden">
        <div className="grid gap-0.5 py-1.5">
          <RelativeTime date={at} />
          <span className="text-sm">{by}</span>
        </div>
      </TableCell>
    </TableRow>
  );
}
