import type { Run } from "./runs.ts";

/** Maximum number of lines in a running header or footer. */
const MARGIN_LINES = 3;
const PAGES_SHARE_MIN = 0.5;

/** Drops running headers, footers and page numbers: lines at the top or bottom that most pages repeat. */
export function dropRunningLines(pages: Run[][]): Run[][] {
  if (pages.length < 3) return pages;
  const edges = pages.map(edgeRuns);
  const seen = new Map<string, number>();
  for (const edge of edges) {
    for (const key of new Set([...edge].map(lineKey))) seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  const often = Math.max(3, pages.length * PAGES_SHARE_MIN);
  return pages.map((runs, index) =>
    runs.filter((run) => !edges[index]?.has(run) || (seen.get(lineKey(run)) ?? 0) < often),
  );
}

function edgeRuns(runs: Run[]): Set<Run> {
  const heights = [...new Set(runs.map(({ y }) => Math.round(y)))].sort((a, b) => a - b);
  const edge = new Set([...heights.slice(0, MARGIN_LINES), ...heights.slice(-MARGIN_LINES)]);
  return new Set(runs.filter(({ y }) => edge.has(Math.round(y))));
}

/** Equal for lines at the same height that differ only in the page number. */
function lineKey({ y, text }: Run): string {
  const pattern = text
    .toLowerCase()
    .replace(/\d+|\b[ivxlc]+\b/g, "#")
    .replace(/\s+/g, " ");
  return `${Math.round(y / 6)} ${pattern}`;
}
