"use client";

import Link from "next/link";
import { useState } from "react";
import { Badge, type Tone } from "@/components/ui/badge.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs.tsx";
import type { ImportPreview, PreviewRow, PreviewState } from "@/lib/knowledge/intake/import-preview.ts";
import { describeChange } from "@/lib/label-changes.ts";

const STATES: PreviewState[] = ["bad", "changed", "new", "unchanged"];
const WORDS: Record<PreviewState, string> = { bad: "Invalid", changed: "Changed", new: "New", unchanged: "Unchanged" };
const TONES: Record<PreviewState, Tone> = { bad: "danger", changed: "warning", new: "success", unchanged: "neutral" };

/** A tab of rows for each state, invalid rows first. */
export function PreviewTable({ preview: { counts, rows } }: { preview: ImportPreview }) {
  const [state, setState] = useState<string>(STATES.find((name) => counts[name] > 0) ?? "new");
  return (
    <Tabs value={state} onValueChange={setState}>
      <TabsList aria-label="Rows of the file">
        {STATES.map((name) => (
          <TabsTrigger key={name} value={name}>
            {WORDS[name]} <span className="tabular text-muted">{counts[name]}</span>
          </TabsTrigger>
        ))}
      </TabsList>
      {STATES.map((name) => (
        <TabsContent key={name} value={name} className="grid gap-2">
          <Rows state={name} rows={rows.filter((row) => row.state === name)} total={counts[name]} />
        </TabsContent>
      ))}
    </Tabs>
  );
}

function Rows({ state, rows, total }: { state: PreviewState; rows: PreviewRow[]; total: number }) {
  if (rows.length === 0) return <p className="py-4 text-muted">No rows of this kind.</p>;
  return (
    <>
      <Table>
        <caption className="sr-only">{WORDS[state]} rows</caption>
        <TableHead>
          <tr>
            <TableHeader className="w-16 text-right">Row</TableHeader>
            <TableHeader>{state === "bad" ? "Problem" : "Question and answer"}</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.row}>
              <TableCell className="text-right align-top text-muted">{row.row}</TableCell>
              <TableCell className="align-top">
                {row.state === "bad" ? <span className="text-danger">{row.error}</span> : <Question row={row} />}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {total > rows.length && (
        <p className="text-muted text-sm">
          The first {rows.length} of {total} rows.
        </p>
      )}
    </>
  );
}

function Question({ row }: { row: Exclude<PreviewRow, { state: "bad" }> }) {
  return (
    <div className="grid gap-1">
      <span className="flex flex-wrap items-center gap-2 font-medium">
        <span className="wrap-anywhere">{row.question}</span>
        <Badge tone={TONES[row.state]}>{WORDS[row.state]}</Badge>
      </span>
      {row.before !== null && (
        <del className="line-clamp-2 wrap-anywhere text-muted decoration-danger">
          <span className="sr-only">Before: </span>
          {row.before}
        </del>
      )}
      <span className="line-clamp-2 wrap-anywhere text-muted">{row.answer}</span>
      {row.answeredIn && (
        <span className="wrap-anywhere text-sm text-warning">
          Already answered in{" "}
          <Link href={`/knowledge/${row.answeredIn.id}`} target="_blank" className="underline underline-offset-4">
            {row.answeredIn.question}
          </Link>
          {row.answeredIn.isVerified && ", which is verified"}
          {row.answeredIn.keptBecause && (
            <span className="block">Both answers are kept, because {row.answeredIn.keptBecause}.</span>
          )}
        </span>
      )}
      {row.changes.map((change) => (
        <span key={change.label} className="wrap-anywhere text-sm text-warning">
          {describeChange(change)}
        </span>
      ))}
      {row.state === "changed" && row.before === null && row.changes.length === 0 && (
        <span className="text-muted text-sm">The answer stays; the question or its alternatives change.</span>
      )}
    </div>
  );
}
