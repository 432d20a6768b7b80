import { RelativeTime } from "@/components/relative-time.tsx";
import { StatusBadge } from "@/components/status-badge.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import type { listRequests } from "@/lib/usage/statistics.ts";

export function RequestTable({ requests }: { requests: Awaited<ReturnType<typeof listRequests>> }) {
  if (requests.length === 0) return <p className="text-muted">No such request.</p>;
  return (
    <Table>
      <caption className="sr-only">Requests, newest first</caption>
      <TableHead>
        <TableRow>
          <TableHeader>Question</TableHeader>
          <TableHeader>Status</TableHeader>
          <TableHeader className="max-sm:hidden">Results</TableHeader>
          <TableHeader className="max-sm:hidden">Time</TableHeader>
          <TableHeader className="max-lg:hidden">Request id</TableHeader>
          <TableHeader>When</TableHeader>
        </TableRow>
      </TableHead>
      <TableBody>
        {requests.map(({ id, at, queryText, total, durationMs, statusCode, error, origin }) => (
          <TableRow key={id}>
            <TableCell className="max-w-80 truncate">
              {queryText ?? <span className="text-muted">not kept</span>}
            </TableCell>
            <TableCell>
              <StatusBadge tone={statusCode < 400 ? "success" : "danger"}>
                {error ?? `${statusCode} ${origin}`}
              </StatusBadge>
            </TableCell>
            <TableCell className="max-sm:hidden">{total}</TableCell>
            <TableCell className="max-sm:hidden">{durationMs} ms</TableCell>
            <TableCell className="font-mono text-sm max-lg:hidden">{id}</TableCell>
            <TableCell>
              <RelativeTime date={at} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
