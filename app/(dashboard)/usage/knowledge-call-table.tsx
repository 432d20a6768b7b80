import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import { counted, countText } from "@/lib/counted.ts";
import type { KnowledgeCalls } from "@/lib/usage/knowledge-calls.ts";
import { INTERFACE_NAMES } from "./interface-names.ts";

interface KnowledgeCallTableProps {
  calls: KnowledgeCalls[];
  /** Set on the page of a key: the days that the calls are from. */
  daysOfKey?: number;
}

/** The calls that add, list or change sources, by key and interface. */
export function KnowledgeCallTable({ calls, daysOfKey }: KnowledgeCallTableProps) {
  const isOfKey = daysOfKey !== undefined;
  return (
    <section aria-labelledby="knowledge-calls" className="grid gap-3">
      <div className="grid gap-1">
        <h2 id="knowledge-calls" className="font-semibold text-base">
          Calls that manage knowledge
        </h2>
        <p className="text-muted">
          API calls that add, list or change sources{isOfKey && `, in the last ${counted(daysOfKey, "day")}`}. They do
          not count as questions.
        </p>
      </div>
      <Table>
        <caption className="sr-only">
          Calls that manage knowledge, busiest {isOfKey ? "interface" : "key"} first
        </caption>
        <TableHead>
          <tr>
            {!isOfKey && <TableHeader>Key</TableHeader>}
            <TableHeader>Via</TableHeader>
            <TableHeader className="text-right">Calls</TableHeader>
            <TableHeader className="text-right">Errors</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {calls.map(({ apiKeyId, name, via, calls, errors }) => (
            <TableRow key={`${apiKeyId} ${via}`}>
              {!isOfKey && <TableCell className="min-w-32 wrap-anywhere">{name ?? "A deleted key"}</TableCell>}
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
