import Link from "next/link";
import { CopyButton } from "@/components/copy-button.tsx";
import { RelativeTime } from "@/components/relative-time.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import { counted } from "@/lib/counted.ts";
import type { KeyCall } from "@/lib/usage/service.ts";

interface CallTableProps {
  calls: KeyCall[];
  errorsOnly: boolean;
  /** Whether the key can make calls that manage knowledge. */
  managesKnowledge: boolean;
  /** Path of the page. */
  path: string;
}

/** The requests of a key, with the request ids that its callers saw. */
export function CallTable({ calls, errorsOnly, managesKnowledge, path }: CallTableProps) {
  return (
    <section aria-labelledby="calls" className="grid gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="grid gap-1">
          <h2 id="calls" className="font-semibold text-base">
            Last requests
          </h2>
          <p className="text-muted">Callers see the same ID in the X-Request-Id header.</p>
        </div>
        <nav aria-label="Requests to show" className="flex gap-1">
          <Choice href={path} chosen={!errorsOnly}>
            All
          </Choice>
          <Choice href={`${path}?calls=errors`} chosen={errorsOnly}>
            Errors
          </Choice>
        </nav>
      </div>
      <Table>
        <caption className="sr-only">{errorsOnly ? "Refused requests" : "Requests, newest first"}</caption>
        <TableHead>
          <tr>
            <TableHeader>When</TableHeader>
            <TableHeader>Status</TableHeader>
            <TableHeader>What</TableHeader>
            <TableHeader className="max-lg:hidden">Request ID</TableHeader>
            <TableHeader className="text-right max-md:hidden">Time</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {calls.map((call) => (
            <CallRow key={call.id} call={call} />
          ))}
          {calls.length === 0 && (
            <tr>
              <TableCell colSpan={5} className="py-10 text-center text-muted">
                {errorsOnly
                  ? "No refused requests."
                  : "No questions or refused calls yet. They appear here a moment after they are made."}
                {!errorsOnly &&
                  managesKnowledge &&
                  " Successful calls that manage knowledge are only counted, not listed."}
              </TableCell>
            </tr>
          )}
        </TableBody>
      </Table>
    </section>
  );
}

function CallRow({ call }: { call: KeyCall }) {
  const failed = call.statusCode >= 400;
  return (
    <TableRow>
      <TableCell className="whitespace-nowrap">
        <RelativeTime date={call.at} />
      </TableCell>
      <TableCell>
        <Badge tone={failed ? "danger" : "success"} className="tabular">
          {call.statusCode}
        </Badge>
      </TableCell>
      <TableCell className="min-w-40">
        <div className="grid gap-0.5 leading-snug">
          {failed ? (
            <span className="wrap-anywhere">{call.error}</span>
          ) : (
            <>
              <span className="line-clamp-2 wrap-anywhere">{call.queryText ?? "Stored as a hash"}</span>
              <span className="text-muted text-sm">{counted(call.total, "result")}</span>
            </>
          )}
          <span className="lg:hidden">
            <RequestId id={call.id} />
          </span>
        </div>
      </TableCell>
      <TableCell className="max-lg:hidden">
        <RequestId id={call.id} />
      </TableCell>
      <TableCell className="whitespace-nowrap text-right text-muted max-md:hidden">{call.durationMs} ms</TableCell>
    </TableRow>
  );
}

function RequestId({ id }: { id: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <Link
        href={`/usage?request=${id}`}
        title={id}
        className="font-mono text-muted text-xs underline-offset-4 hover:text-foreground hover:underline"
      >
        {id.slice(0, 8)}…
      </Link>
      <CopyButton text={id} label={`Copy request ID ${id}`} variant="ghost" />
    </span>
  );
}

function Choice({ href, chosen, children }: { href: string; chosen: boolean; children: string }) {
  return (
    <Button variant={chosen ? "secondary" : "ghost"} size="sm" asChild>
      <Link href={href} scroll={false} replace aria-current={chosen ? "true" : undefined}>
        {children}
      </Link>
    </Button>
  );
}
