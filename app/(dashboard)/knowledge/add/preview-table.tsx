"use client";

import Link from "next/link";
import { useState } from "react";
import { Badge, type Tone } from "@/components/ui/badge.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs.tsx";
import type { ImportPreview, PreviewRow, PreviewState } from "@/lib/knowledge/intake/import-preview.ts";
import { describeChange } from "@/lib/label-changes.ts";

const STATES: PreviewState[] = ["invalid", "changed", "new", "unchanged"];
const WORDS: Record<PreviewState, string> = {
  invalid: "Invalid",
  changed: "Changed",
  new: "New",
  unchanged: "Unchanged",
};
const TONES: Record<PreviewState, Tone> = {
  invalid: "danger",
  changed: "warning",
  new: "success",
  unchanged: "neutral",
};

interface PreviewTableProps {
  preview: ImportPreview;
  /** Whether rows replace the answers of other sources, where they may. */
  merge: boolean;
}

/** A tab of rows for each state, invalid rows first. */
export function PreviewTable({ preview: { counts, rows }, merge }: PreviewTableProps) {
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
          <Rows state={name} rows={rows.filter((row) => row.state === name)} total={counts[name]} merge={merge} />
        </TabsContent>
      ))}
    </Tabs>
  );
}

interface RowsProps {
  state: PreviewState;
  rows: PreviewRow[];
  /** Number of rows in the file with this state. */
  total: number;
  merge: boolean;
}

function Rows({ state, rows, total, merge }: RowsProps) {
  if (rows.length === 0) return <p className="py-4 text-muted">No rows of this kind.</p>;
  return (
    <>
      <Table>
        <caption className="sr-only">{WORDS[state]} rows</caption>
        <TableHead>
          <tr>
            <TableHeader className="w-16 text-right">Row</TableHeader>
            <TableHeader>{state === "invalid" ? "Problem" : "Question and answer"}</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.position}>
              <TableCell className="text-right align-top text-muted">{row.row}</TableCell>
              <TableCell className="align-top">
                {row.state === "invalid" ? (
                  <span className="text-danger">{row.error}</span>
                ) : (
                  <Question row={row} merge={merge} />
                )}
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

type ValidRow = Exclude<PreviewRow, { state: "invalid" }>;

function Question({ row, merge }: { row: ValidRow; merge: boolean }) {
  const { answeredIn } = row;
  const replaced = answeredIn && merge && answeredIn.keptBecause === null ? answeredIn.answer : row.before;
  return (
    <div className="grid gap-1">
      <span className="flex flex-wrap items-center gap-2 font-medium">
        <span className="wrap-anywhere">{row.question}</span>
        <Badge tone={TONES[row.state]}>{WORDS[row.state]}</Badge>
      </span>
      {row.sheet !== undefined && <span className="wrap-anywhere text-muted text-sm">{`Sheet "${row.sheet}"`}</span>}
      {replaced !== null && replaced !== row.answer && (
        <del className="line-clamp-2 wrap-anywhere text-muted decoration-danger">
          <span className="sr-only">Before: </span>
          {replaced}
        </del>
      )}
      <span className="line-clamp-2 wrap-anywhere text-muted">{row.answer}</span>
      {answeredIn && <AnsweredNote {...answeredIn} isReplaced={replaced === answeredIn.answer} />}
      {row.changes.map((change) => (
        <span key={change.label} className="wrap-anywhere text-sm text-warning">
          {describeChange(change)}
        </span>
      ))}
      {row.state === "changed" && row.before === null && row.changes.length === 0 && (
        <span className="text-muted text-sm">The answer stays; the question or its phrasings change.</span>
      )}
    </div>
  );
}

type AnsweredIn = NonNullable<ValidRow["answeredIn"]>;

/** Names the source that already answers the question. Shows its answer, unless the row replaces it. */
function AnsweredNote(props: AnsweredIn & { isReplaced: boolean }) {
  const { id, question, answer, isVerified, keptBecause, isReplaced } = props;
  return (
    <span className="wrap-anywhere text-sm text-warning">
      Already answered in{" "}
      <Link href={`/knowledge/${id}`} target="_blank" className="underline underline-offset-4">
        {question}
      </Link>
      {isVerified && ", which is verified"}
      {!isReplaced && <span className="line-clamp-2 text-muted">{answer}</span>}
      {keptBecause && <span className="block">Both answers are kept, because {keptBecause}.</span>}
    </span>
  );
}
