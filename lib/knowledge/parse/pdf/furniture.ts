import { type Line, lineText } from "./lines.ts";

/** How many lines at the top and at the bottom of a page may be a running header or footer. */
const MARGIN_LINES = 3;
const PAGES_SHARE_MIN = 0.5;

/** Drops running headers, footers and page numbers: lines at the edge of a page that most pages repeat. */
export function dropFurniture(pages: Line[][]): Line[][] {
  if (pages.length < 3) return pages;
  const seen = new Map<string, number>();
  for (const lines of pages) {
    for (const key of new Set(edgeLines(lines).map(furnitureKey))) seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  const often = Math.max(3, pages.length * PAGES_SHARE_MIN);
  return pages.map((lines) => {
    const edge = new Set(edgeLines(lines));
    return lines.filter((line) => !edge.has(line) || (seen.get(furnitureKey(line)) ?? 0) < often);
  });
}

function edgeLines(lines: Line[]): Line[] {
  const byHeight = lines.toSorted((a, b) => a.y - b.y);
  return [...byHeight.slice(0, MARGIN_LINES), ...byHeight.slice(-MARGIN_LINES)];
}

/** Alike but for the page's number, at the same height. */
function furnitureKey(line: Line): string {
  const text = lineText(line)
    .toLowerCase()
    .replace(/\d+|\b[ivxlc]+\b/g, "#")
    .replace(/\s+/g, " ");
  return `${Math.round(line.y / 6)} ${text}`;
}
