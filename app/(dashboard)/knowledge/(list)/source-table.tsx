"use client";

import type { RowSelectionState } from "@tanstack/react-table";
import Link from "next/link";
import { useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { DataTable, tableColumns } from "@/components/data-table.tsx";
import { RelativeTime } from "@/components/relative-time.tsx";
import { RowMenu } from "@/components/row-menu.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { countText } from "@/lib/counted.ts";
import type { SourceRow } from "@/lib/knowledge/browse/browse.ts";
import type { SourceFilter } from "@/lib/knowledge/browse/browse-query.ts";
import { SOURCE_SORTS } from "@/lib/knowledge/values.ts";
import { joinPath } from "@/lib/label-text.ts";
import { SourceStatus } from "../source-status.tsx";
import { TYPE_WORDS, VERIFICATION_WORDS } from "../source-words.ts";
import { useSourceActions } from "../use-source-actions.ts";
import { listParams } from "./search-params.ts";
import { SelectionBar } from "./selection-bar.tsx";

interface SourceTableProps {
  rows: SourceRow[];
  filter: SourceFilter;
  /** Sources that pass the filter, on all pages. */
  total: number;
  canEdit: boolean;
}

const column = tableColumns<SourceRow>();
const COLUMNS = [
  column.accessor("title", { header: "Source", cell: ({ row: { original } }) => <SourceTitle source={original} /> }),
  column.accessor("status", {
    header: "Status",
    enableSorting: false,
    meta: { className: "max-sm:hidden" },
    cell: ({ row: { original } }) => <Status source={original} />,
  }),
  column.accessor("category", {
    header: "Category",
    enableSorting: false,
    meta: { className: "max-xl:hidden" },
    cell: ({ getValue }) => <span className="block max-w-40 truncate text-muted">{getValue()}</span>,
  }),
  column.accessor("audience", {
    header: "Audience",
    enableSorting: false,
    meta: { className: "max-[87.5rem]:hidden" },
    cell: ({ getValue }) => <Audience values={getValue()} />,
  }),
  column.accessor("chunks", {
    header: "Chunks",
    meta: { className: "text-right max-md:hidden" },
    cell: ({ getValue }) => <span className="text-muted">{countText(getValue())}</span>,
  }),
  column.accessor("updatedAt", {
    id: "updated",
    header: "Updated",
    meta: { className: "whitespace-nowrap max-md:hidden" },
    cell: ({ getValue }) => <RelativeTime date={getValue()} className="text-muted" />,
  }),
];

const READ_COLUMNS = column.columns(COLUMNS);
const EDIT_COLUMNS = column.columns([
  column.display({
    id: "select",
    enableSorting: false,
    meta: { className: "w-10 pr-0" },
    header: ({ table }) => (
      <Checkbox
        aria-label="Select all on this page"
        checked={table.getIsAllRowsSelected() || (table.getIsSomeRowsSelected() && "indeterminate")}
        onCheckedChange={(checked) => table.toggleAllRowsSelected(checked === true)}
      />
    ),
    cell: ({ row }) => (
      <Checkbox
        aria-label={`Select ${row.original.title}`}
        checked={row.getIsSelected()}
        onCheckedChange={(checked) => row.toggleSelected(checked === true)}
      />
    ),
  }),
  ...COLUMNS,
  column.display({
    id: "actions",
    enableSorting: false,
    header: () => <span className="sr-only">Actions</span>,
    meta: { className: "w-14 text-right" },
    cell: ({ row: { original } }) => <Actions source={original} />,
  }),
]);

/** A page of sources. The selection spans pages, so give the table a React key that changes with the filter. */
export function SourceTable({ rows, filter, total, canEdit }: SourceTableProps) {
  const [{ sort, desc }, setParams] = useQueryStates(listParams, { shallow: false });
  const [selection, setSelection] = useState<RowSelectionState>({});
  const sorting = useMemo(() => [{ id: sort, desc }], [sort, desc]);
  const ids = Object.keys(selection).filter((id) => selection[id]);
  return (
    <>
      <DataTable
        caption="Sources"
        columns={canEdit ? EDIT_COLUMNS : READ_COLUMNS}
        data={rows}
        getRowId={({ id }) => id}
        sorting={sorting}
        onSortingChange={(change) => {
          const [next] = typeof change === "function" ? change(sorting) : change;
          const by = SOURCE_SORTS.find((name) => name === next?.id);
          if (next && by) void setParams({ sort: by, desc: next.desc, page: null });
        }}
        {...(canEdit && { selection, onSelectionChange: setSelection })}
        empty="No sources match. Search for other words, or clear the filters."
      />
      {ids.length > 0 && (
        <SelectionBar
          ids={ids}
          filter={filter}
          total={total}
          onSelect={(all) => setSelection(Object.fromEntries(all.map((id) => [id, true])))}
          onDone={() => setSelection({})}
        />
      )}
    </>
  );
}

function SourceTitle({ source }: { source: SourceRow }) {
  const { id, title, sourceId, type, path, status, progress, verification } = source;
  const location = path.length > 0 ? joinPath(path) : sourceId;
  return (
    <div className="grid min-w-0 max-w-md gap-0.5 py-0.5 sm:min-w-64 leading-snug">
      <Link
        href={`/knowledge/${id}`}
        prefetch={false}
        className="line-clamp-2 wrap-anywhere font-medium underline-offset-4 hover:underline"
      >
        {title}
      </Link>
      <span className="truncate text-muted text-sm" title={sourceId}>
        {[TYPE_WORDS[type], verification && VERIFICATION_WORDS[verification], location].filter(Boolean).join(" · ")}
      </span>
      {status === "failed" && <FailureReason source={source} />}
      {progress?.waitsFor && (
        <span className="text-sm text-warning">{progress.waitsFor} Ragstone will retry automatically.</span>
      )}
      <span className="pt-1 sm:hidden">
        <SourceStatus status={status} progress={progress} />
      </span>
    </div>
  );
}

function FailureReason({ source: { error, served } }: { source: SourceRow }) {
  return (
    <span className="text-danger text-sm">
      {error ?? "Processing failed."}
      {served && " The previous version is still searchable."}
    </span>
  );
}

function Status({ source }: { source: SourceRow }) {
  return <SourceStatus status={source.status} progress={source.progress} />;
}

function Audience({ values }: { values: string[] }) {
  const all = values.join(", ") || "None";
  return (
    <span className="block max-w-44 truncate text-muted" title={all}>
      {all}
    </span>
  );
}

function Actions({ source: { id, title, status } }: { source: SourceRow }) {
  const { remove, restore, reindex } = useSourceActions();
  if (status === "deleted") {
    return (
      <Button variant="secondary" size="sm" pending={restore.pending} onClick={() => void restore.run({ ids: [id] })}>
        Restore
      </Button>
    );
  }
  return (
    <span className="flex items-center justify-end gap-1">
      {status === "failed" && (
        <Button
          variant="secondary"
          size="sm"
          // too wide for a narrow screen; the row menu has Retry too
          className="max-sm:hidden"
          pending={reindex.pending}
          onClick={() => void reindex.run({ ids: [id] })}
        >
          Retry
        </Button>
      )}
      <RowMenu
        label={`Actions for ${title}`}
        entries={[
          { kind: "link", label: "Open", href: `/knowledge/${id}` },
          {
            kind: "item",
            label: status === "failed" ? "Retry" : "Re-index",
            onSelect: () => void reindex.run({ ids: [id] }),
          },
          { kind: "separator" },
          { kind: "item", label: "Delete", destructive: true, onSelect: () => void remove.run({ ids: [id] }) },
        ]}
      />
    </span>
  );
}
