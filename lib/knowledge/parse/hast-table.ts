import type { Element } from "hast";
import type { Block } from "./document.ts";
import { tidyLine } from "./document.ts";
import { inlineText, isDropped } from "./hast-text.ts";
import { mergeHeader, splitHeader } from "./table.ts";

const SPAN_MAX = 200;

interface Row {
  cells: Element[];
  isHeader: boolean;
}

/** A data table as a table block, after its caption; null for a table that is only used for layout. */
export function readTable(table: Element): Block[] | null {
  const rows = collectRows(table);
  const cells = rows.flatMap((row) => row.cells);
  if (cells.length <= 1 || cells.some(isLayout)) return null;
  const grid = spread(rows);
  const headed = rows.findIndex((row) => !row.isHeader);
  const caption = table.children.find((child) => child.type === "element" && child.tagName === "caption");
  const before: Block[] = caption === undefined ? [] : [{ kind: "paragraph", text: tidyLine(inlineText(caption)) }];
  if (headed > 0) {
    return [...before, { kind: "table", header: mergeHeader(grid.slice(0, headed)), rows: grid.slice(headed) }];
  }
  return [...before, { kind: "table", ...splitHeader(grid) }];
}

function collectRows(node: Element): Row[] {
  return node.children.flatMap((child): Row[] => {
    if (child.type !== "element" || isDropped(child)) return [];
    if (child.tagName !== "tr") return /^t(?:head|body|foot)$/.test(child.tagName) ? collectRows(child) : [];
    const cells = child.children.flatMap((cell) =>
      cell.type === "element" && /^t[dh]$/.test(cell.tagName) ? [cell] : [],
    );
    const isHeader = node.tagName === "thead" || (cells.length > 0 && cells.every((cell) => cell.tagName === "th"));
    return cells.length === 0 ? [] : [{ cells, isHeader }];
  });
}

function isLayout(cell: Element): boolean {
  return cell.children.some(
    (child) => child.type === "element" && (/^(?:h\d|table|pre)$/.test(child.tagName) || isLayout(child)),
  );
}

/** Fills a grid: a cell that spans rows is repeated in each row; a cell that spans columns is in the first column only. */
function spread(rows: Row[]): string[][] {
  const grid: string[][] = rows.map(() => []);
  rows.forEach((row, y) => {
    let x = 0;
    for (const cell of row.cells) {
      while (grid[y]?.[x] !== undefined) x++;
      const text = tidyLine(inlineText(cell));
      const width = span(cell.properties.colSpan);
      const bottom = Math.min(y + span(cell.properties.rowSpan), rows.length);
      for (let below = y; below < bottom; below++) {
        for (let column = 0; column < width; column++) {
          const line = grid[below];
          if (line !== undefined) line[x + column] = column === 0 || row.isHeader ? text : "";
        }
      }
      x += width;
    }
  });
  return grid.map((line) => Array.from(line, (text) => text ?? ""));
}

function span(value: unknown): number {
  const number = Number(value ?? 1);
  return Number.isInteger(number) && number > 0 ? Math.min(number, SPAN_MAX) : 1;
}
