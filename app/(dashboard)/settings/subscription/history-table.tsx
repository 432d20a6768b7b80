import { AbsoluteTime, TextWithTimes } from "@/components/relative-time.tsx";
import { StatusBadge } from "@/components/status-badge.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import { SUBSCRIPTION_STATUS_LABELS } from "@/lib/db/column-values.ts";
import { planById } from "@/lib/subscriptions/plans.ts";
import type { HistoryRow } from "@/lib/subscriptions/service.ts";
import { STATUS_TONES } from "./status-words.tsx";

export function HistoryTable({ history }: { history: HistoryRow[] }) {
  return (
    <Table>
      <caption className="sr-only">Subscription changes, newest first</caption>
      <TableHead>
        <tr>
          <TableHeader>When</TableHeader>
          <TableHeader>What</TableHeader>
          <TableHeader className="max-sm:hidden">New status</TableHeader>
          <TableHeader className="max-md:hidden">Plan</TableHeader>
          <TableHeader className="max-md:hidden">By</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {history.map((entry) => (
          <TableRow key={entry.id}>
            <TableCell className="whitespace-nowrap text-muted">
              <AbsoluteTime date={entry.createdAt} time />
            </TableCell>
            <TableCell className="min-w-40">
              <TextWithTimes text={entry.event} />
              <span className="block text-muted text-sm md:hidden">by {entry.actor}</span>
            </TableCell>
            <TableCell className="max-sm:hidden">
              <StatusBadge tone={STATUS_TONES[entry.status]}>{SUBSCRIPTION_STATUS_LABELS[entry.status]}</StatusBadge>
            </TableCell>
            <TableCell className="max-md:hidden">{planById(entry.plan).name}</TableCell>
            <TableCell className="max-md:hidden">{entry.actor}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
