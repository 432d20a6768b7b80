import Link from "next/link";
import { CopyButton } from "@/components/copy-button.tsx";
import { RelativeTime } from "@/components/relative-time.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import type { LoggedRequest } from "@/lib/usage/log.ts";
import { timeWords } from "../format-figures.ts";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { callerOf, questionOf } from "./request-words.ts";

interface RequestTableProps {
  requests: LoggedRequest[];
}

export function RequestTable({ requests }: RequestTableProps) {
  return (
    <Table>
      <caption className="sr-only">Requests, newest first</caption>
      <TableHead>
        <tr>
          <TableHeader>Question</TableHeader>
          <TableHeader>Outcome</TableHeader>
          <TableHeader className="max-md:hidden">From</TableHeader>
          <TableHeader className="text-right max-md:hidden">Time</TableHeader>
          <TableHeader className="max-xl:hidden">Request ID</TableHeader>
          <TableHeader className="max-sm:hidden">When</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
        {requests.length === 0 && (
          <tr>
            <TableCell colSpan={6} className="py-10 text-center text-muted">
              No matching requests. Choose a longer period or remove a filter. New requests appear after a moment.
            </TableCell>
          </tr>
        )}
      </TableBody>
    </Table>
  );
}

function RequestRow({ request }: { request: LoggedRequest }) {
  const { id, at, error, durationMs } = request;
  return (
    <TableRow>
      <TableCell className="w-full max-w-0 sm:min-w-44 sm:max-w-96">
        <Link
          href={`/usage/requests/${id}`}
          className="line-clamp-2 wrap-anywhere font-medium underline-offset-4 hover:underline"
        >
          {questionOf(request)}
        </Link>
        {error && <span className="line-clamp-2 wrap-anywhere text-muted text-sm">{error}</span>}
        <span className="text-muted text-sm sm:hidden">
          <RelativeTime date={at} />
        </span>
      </TableCell>
      <TableCell className="whitespace-nowrap">
        <OutcomeBadge request={request} />
      </TableCell>
      <TableCell className="max-w-48 truncate text-muted max-md:hidden">{callerOf(request)}</TableCell>
      <TableCell className="tabular whitespace-nowrap text-right text-muted max-md:hidden">
        {timeWords(durationMs)}
      </TableCell>
      <TableCell className="whitespace-nowrap max-xl:hidden">
        <span className="inline-flex items-center gap-1 font-mono text-muted text-xs" title={id}>
          {id.slice(0, 8)}…
          <CopyButton text={id} label={`Copy request ID ${id}`} variant="ghost" />
        </span>
      </TableCell>
      <TableCell className="whitespace-nowrap text-muted max-sm:hidden">
        <RelativeTime date={at} />
      </TableCell>
    </TableRow>
  );
}
