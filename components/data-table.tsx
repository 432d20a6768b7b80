"use client";

import {
  createColumnHelper,
  createSortedRowModel,
  metaHelper,
  type OnChangeFn,
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  sortFn_basic,
  sortFn_datetime,
  sortFn_text,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import ChevronsUpDown from "lucide-react/icons/chevrons-up-down";
import type { ReactNode } from "react";
import { cn } from "@/components/cn.ts";
import { PlainButton } from "@/components/ui/plain-button.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";

interface ColumnMeta {
  /** Class of the header and the cells, such as `max-lg:hidden` for the least important columns. */
  className?: string;
}

const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic, datetime: sortFn_datetime, text: sortFn_text },
  columnMeta: metaHelper<ColumnMeta>(),
});

/** Creates a column helper. Call it at module level: `const column = tableColumns<Key>()`. */
export function tableColumns<Row extends RowData>() {
  return createColumnHelper<typeof features, Row>();
}

interface DataTableProps<Row extends RowData> {
  /** What the table contains, for screen readers. */
  caption: string;
  /** Must be stable between renders, like `data`. */
  columns: ReturnType<ReturnType<typeof tableColumns<Row>>["columns"]>;
  data: readonly Row[];
  getRowId: (row: Row) => string;
  initialSorting?: SortingState;
  /** Given both, the server sorts, and the caller keeps the sorting state. */
  sorting?: SortingState;
  onSortingChange?: OnChangeFn<SortingState>;
  /** Given both, rows can be selected. The caller adds the column of checkboxes. */
  selection?: RowSelectionState;
  onSelectionChange?: OnChangeFn<RowSelectionState>;
  /** Shown when there are no rows. */
  empty?: ReactNode;
  rowClassName?: (row: Row) => string | undefined;
}

export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const serverSorts = props.onSortingChange !== undefined;
  const table = useTable({
    features,
    columns: props.columns,
    data: props.data,
    getRowId: props.getRowId,
    manualSorting: serverSorts,
    enableSortingRemoval: false,
    initialState: { sorting: props.initialSorting ?? [] },
    state: {
      ...(serverSorts && { sorting: props.sorting ?? [] }),
      ...(props.onSelectionChange && { rowSelection: props.selection ?? {} }),
    },
    ...(serverSorts && { onSortingChange: props.onSortingChange }),
    ...(props.onSelectionChange && { onRowSelectionChange: props.onSelectionChange }),
  });
  const { rows } = table.getRowModel();
  return (
    <Table>
      <caption className="sr-only">{props.caption}</caption>
      <TableHead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => {
              const sorted = header.column.getIsSorted();
              return (
                <TableHeader
                  key={header.id}
                  className={header.column.columnDef.meta?.className}
                  aria-sort={sorted ? (sorted === "asc" ? "ascending" : "descending") : undefined}
                >
                  {header.column.getCanSort() ? (
                    <SortButton sorted={sorted} onClick={header.column.getToggleSortingHandler()}>
                      <table.FlexRender header={header} />
                    </SortButton>
                  ) : (
                    <table.FlexRender header={header} />
                  )}
                </TableHeader>
              );
            })}
          </tr>
        ))}
      </TableHead>
      <TableBody>
        {rows.map((row) => (
          <TableRow
            key={row.id}
            data-state={row.getIsSelected() ? "selected" : undefined}
            className={props.rowClassName?.(row.original)}
          >
            {row.getAllCells().map((cell) => (
              <TableCell key={cell.id} className={cell.column.columnDef.meta?.className}>
                <table.FlexRender cell={cell} />
              </TableCell>
            ))}
          </TableRow>
        ))}
        {rows.length === 0 && (
          <tr>
            <TableCell colSpan={table.getAllLeafColumns().length} className="py-10 text-center text-muted">
              {props.empty ?? "Nothing here yet."}
            </TableCell>
          </tr>
        )}
      </TableBody>
    </Table>
  );
}

interface SortButtonProps {
  sorted: false | "asc" | "desc";
  onClick: ((event: unknown) => void) | undefined;
  children: ReactNode;
}

function SortButton({ sorted, onClick, children }: SortButtonProps) {
  const Icon = sorted === "asc" ? ArrowUp : sorted === "desc" ? ArrowDown : ChevronsUpDown;
  return (
    <PlainButton
      onClick={onClick}
      className="-mx-1.5 inline-flex h-7 items-center gap-1 rounded-sm px-1.5 transition-colors hover:bg-hover hover:text-foreground max-sm:h-11"
    >
      {children}
      <Icon aria-hidden className={cn("size-3.5", !sorted && "opacity-60")} />
    </PlainButton>
  );
}
