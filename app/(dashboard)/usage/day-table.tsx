import { dayWords } from "@/components/time-words.ts";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import { countText } from "@/lib/counted.ts";
import type { DayFigures } from "@/lib/usage/usage-of.ts";
import { timeWords } from "./format-figures.ts";

/** The numbers of the charts as a table. */
export function DayTable({ days }: { days: DayFigures[] }) {
  return (
    <details className="group -mt-2">
      <summary className="w-fit rounded-sm py-1 text-muted text-sm hover:text-foreground">Figures by day</summary>
      <div className="pt-3">
        <Table>
          <caption className="sr-only">Usage by day, newest first; days are in UTC</caption>
          <TableHead>
            <tr>
              <TableHeader>Day</TableHeader>
              <TableHeader className="text-right">Requests</TableHeader>
              <TableHeader className="text-right">Errors</TableHeader>
              <TableHeader className="text-right">p50</TableHeader>
              <TableHeader className="text-right">p95</TableHeader>
              <TableHeader className="text-right">Answered</TableHeader>
              <TableHeader className="text-right">Unanswered</TableHeader>
            </tr>
          </TableHead>
          <TableBody>
            {days.toReversed().map(({ day, requests, errors, p50, p95, answered, unanswered }) => (
              <TableRow key={day} className="*:h-9 *:py-1">
                <TableCell className="whitespace-nowrap">
                  <time dateTime={day}>{dayWords(day)}</time>
                </TableCell>
                <TableCell className="text-right">{countText(requests)}</TableCell>
                <TableCell className="text-right">{countText(errors)}</TableCell>
                <TableCell className="whitespace-nowrap text-right">{timeWords(p50)}</TableCell>
                <TableCell className="whitespace-nowrap text-right">{timeWords(p95)}</TableCell>
                <TableCell className="text-right">{countText(answered)}</TableCell>
                <TableCell className="text-right">{countText(unanswered)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
    </details>
  );
}
