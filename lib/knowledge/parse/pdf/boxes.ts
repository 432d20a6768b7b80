import type { Run } from "./runs.ts";

/** Runs that are drawn one below the other: a paragraph, a column of text or a table cell. */
export interface Box {
  runs: Run[];
  x: number;
  right: number;
  top: number;
  bottom: number;
}

/** Lines with a larger distance than this, in font sizes, belong to different boxes. */
const PITCH_MAX = 1.9;
/** The height of a font above and below its baseline, as shares of its size. */
const ASCENT = 0.8;
const DESCENT = 0.2;

/** The boxes of a page in reading order. */
export function boxesFromRuns(runs: Run[]): Box[] {
  const boxes: Box[] = [];
  for (const run of runs) {
    const last = boxes.at(-1);
    if (last !== undefined && isBelow(last, run)) extend(last, run);
    else boxes.push({ runs: [run], x: run.x, right: run.right, ...heightOf(run) });
  }
  return sortForReading(boxes);
}

/** Groups boxes that are side by side into bands, in reading order. */
export function bandsFromBoxes(boxes: Box[]): Box[][] {
  const bands: Box[][] = [];
  for (const box of boxes) {
    const last = bands.at(-1);
    if (last?.every((other) => !sharesWidth(other, box)) && last.some((other) => sharesHeight(other, box)))
      last.push(box);
    else bands.push([box]);
  }
  return bands;
}

export function textOf(box: Box): string {
  return box.runs.map(({ text }) => text).join(" ");
}

function isBelow(box: Box, run: Run): boolean {
  const previous = box.runs.at(-1);
  if (previous === undefined) return false;
  const pitch = (run.y - previous.y) / Math.max(run.size, previous.size);
  return pitch > 0.5 && pitch < PITCH_MAX && sharesWidth(box, run);
}

function extend(box: Box, run: Run): void {
  box.runs.push(run);
  box.x = Math.min(box.x, run.x);
  box.right = Math.max(box.right, run.right);
  box.bottom = heightOf(run).bottom;
}

function heightOf({ y, size }: Run): { top: number; bottom: number } {
  return { top: y - ASCENT * size, bottom: y + DESCENT * size };
}

function sharesWidth(a: { x: number; right: number }, b: { x: number; right: number }): boolean {
  return a.x < b.right && b.x < a.right;
}

/** Whether at least half of the less tall box is beside the other box. */
function sharesHeight(a: Box, b: Box): boolean {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return shared >= 0.5 * Math.min(a.bottom - a.top, b.bottom - b.top);
}

/** Sorts a box after the boxes above it in the same column, whatever order they were drawn in. */
function sortForReading(boxes: Box[]): Box[] {
  const ordered: Box[] = [];
  for (const box of boxes) {
    const place = ordered.findIndex((other) => box.bottom <= other.top && sharesWidth(box, other));
    if (place === -1) ordered.push(box);
    else ordered.splice(place, 0, box);
  }
  return ordered;
}
