import Link from "next/link";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import { countText } from "@/lib/counted.ts";
import { PLAYGROUND } from "@/lib/usage/log-filter.ts";
import type { Usage } from "@/lib/usage/usage-of.ts";
import { timeWords } from "./format-figures.ts";
import { ADAPTER_NAMES } from "./interface-names.ts";
import { usageQueryString } from "./search-params.ts";

const ORIGIN_WORDS: Record<string, string> = { playground: "Playground", cli: "Command line", api: "A deleted key" };

/** Requests by key, playground and command line. */
export function KeyTable({ senders, days }: { senders: Usage["senders"]; days: 7 | 30 | 90 }) {
  return (
    <section aria-labelledby="by-key" className="grid gap-3">
      <h2 id="by-key" className="font-semibold text-base">
        By API key
      </h2>
      <Table>
        <caption className="sr-only">Usage by key, busiest first</caption>
        <TableHead>
          <tr>
            <TableHeader>API key</TableHeader>
            <TableHeader className="text-right">Requests</TableHeader>
            <TableHeader className="text-right">Errors</TableHeader>
            <TableHeader className="text-right max-md:hidden">Unanswered</TableHeader>
            <TableHeader className="text-right max-sm:hidden">p50</TableHeader>
            <TableHeader className="text-right max-sm:hidden">p95</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {senders.map(({ id, origin, name, last4, adapters, requests, errors, unanswered, p50, p95 }) => {
            const sender = id ?? (origin === "playground" ? PLAYGROUND : null);
            const words = name ?? ORIGIN_WORDS[origin] ?? origin;
            return (
              <TableRow key={`${origin} ${id}`}>
                <TableCell className="min-w-32 wrap-anywhere">
                  {sender ? (
                    <Link
                      href={`/usage${usageQueryString({ days, sender })}`}
                      className="font-medium underline-offset-4 hover:underline"
                    >
                      {words}
                    </Link>
                  ) : (
                    words
                  )}
                  {last4 && <span className="ml-2 font-mono text-muted text-xs">…{last4}</span>}
                  {adapters.length > 0 && (
                    <span className="block text-muted text-sm">
                      via {adapters.map((adapter) => ADAPTER_NAMES[adapter]).join(", ")}
                    </span>
                  )}
                </TableCell>
                <TableCell className="text-right">{countText(requests)}</TableCell>
                <TableCell className="text-right">{countText(errors)}</TableCell>
                <TableCell className="text-right max-md:hidden">{countText(unanswered)}</TableCell>
                <TableCell className="whitespace-nowrap text-right max-sm:hidden">{timeWords(p50)}</TableCell>
                <TableCell className="whitespace-nowrap text-right max-sm:hidden">{timeWords(p95)}</TableCell>
              </TableRow>
            );
          })}
        </TableBody>
      </Table>
    </section>
  );
}
