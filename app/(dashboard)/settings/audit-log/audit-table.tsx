import { LongText } from "@/components/long-text.tsx";
import { RelativeTime, TextWithTimes } from "@/components/relative-time.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import type { AuditEventRow } from "@/lib/audit/browse.ts";
import { actionWords, detailWords } from "@/lib/audit/describe-event.ts";
import { Target } from "./target.tsx";

export function AuditTable({ events }: { events: AuditEventRow[] }) {
  return (
    <Table>
      <caption className="sr-only">Changes, newest first</caption>
      <TableHead>
        <tr>
          <TableHeader>Change</TableHeader>
          <TableHeader className="max-md:hidden">Target</TableHeader>
          <TableHeader className="max-sm:hidden">When</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {events.map((event) => (
          <AuditRow key={event.id} event={event} />
        ))}
      </TableBody>
    </Table>
  );
}

function AuditRow({ event }: { event: AuditEventRow }) {
  const { createdAt, actorName, action, detail } = event;
  const details = detailWords(detail);
  return (
    <TableRow>
      <TableCell className="align-top">
        <div className="grid gap-0.5 py-1.5">
          <p title={action}>
            <span className="font-medium">{actorName}</span> {actionWords(action)}
          </p>
          <p className="line-clamp-2 wrap-anywhere md:hidden">
            <Target event={event} />
          </p>
          {details.length > 0 && (
            <LongText>
              <TextWithTimes text={details.join(" · ")} />
            </LongText>
          )}
          <p className="text-muted text-sm sm:hidden">
            <RelativeTime date={createdAt} />
          </p>
        </div>
      </TableCell>
      <TableCell className="max-w-80 align-top max-md:hidden">
        <div className="truncate py-1.5">
          <Target event={event} />
        </div>
      </TableCell>
      <TableCell className="whitespace-nowrap align-top text-muted max-sm:hidden">
        <div className="py-1.5">
          <RelativeTime date={createdAt} />
        </div>
      </TableCell>
    </TableRow>
  );
}
