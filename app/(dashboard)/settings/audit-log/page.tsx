import type { Metadata } from "next";
import { PageHeader } from "@/components/page-header.tsx";
import { RelativeTime } from "@/components/relative-time.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { listAudit } from "@/lib/usage/statistics.ts";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditLogPage() {
  const { scope } = await requireMember({ role: "admin" });
  const events = await listAudit(scope);
  return (
    <>
      <PageHeader title="Audit log" description="Who changed what: the newest 100 changes." />
      <Table>
        <caption className="sr-only">Changes, newest first</caption>
        <TableHead>
          <TableRow>
            <TableHeader>Who</TableHeader>
            <TableHeader>What</TableHeader>
            <TableHeader>Of what</TableHeader>
            <TableHeader>When</TableHeader>
          </TableRow>
        </TableHead>
        <TableBody>
          {events.map(({ id, createdAt, actorName, action, targetType, targetName }) => (
            <TableRow key={id}>
              <TableCell>{actorName}</TableCell>
              <TableCell className="font-mono text-sm">{action}</TableCell>
              <TableCell className="max-w-80 truncate">
                <span className="text-muted">{targetType}</span> {targetName}
              </TableCell>
              <TableCell>
                <RelativeTime date={createdAt} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </>
  );
}
