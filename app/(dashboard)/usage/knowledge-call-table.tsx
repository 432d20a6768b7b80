import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import { countText } from "@/lib/counted.ts";
import type { KnowledgeCalls } from "@/lib/usage/knowledge-calls.ts";
import { INTERFACE_NAMES } from "./interface-names.ts";

/** The calls that add, list or change sources, by key and interface. */
export function KnowledgeCallTable({ calls }: { calls: KnowledgeCalls[] }) {
  return (
    <section aria-labelledby="knowledge-calls" className="grid gap-3">
      <div className="grid gap-1">
        <h2 id="knowledge-calls" className="font-semibold text-base">
          Calls that manage knowledge
        </h2>
        <p className="text-muted">API calls that add, list or change sources. They do not count as questions.</p>
      </div>
      <Table>
        <caption className="sr-only">Calls that manage knowledge, busiest key first</caption>
        <TableHead>
          <tr>
            <TableHeader>Key</TableHeader>
            <TableHeader>Via</TableHeader>
            <TableHeader className="text-right">Calls</TableHeader>
            <TableHeader className="text-right">Errors</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {calls.map(({ apiKeyId, name, via, calls, errors }) => (
            <TableRow key={`${apiKeyId} ${via}`}>
              <TableCell className="min-w-32 wrap-anywhere">{name ?? "A deleted key"}</TableCell>
              <TableCell>{INTERFACE_NAMES[via]}</TableCell>
              <TableCell className="text-right">{countText(calls)}</TableCell>
              <TableCell className="text-right">{countText(errors)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </section>
  );
}
